import { test } from '@japa/runner'
import { OPERATIONS } from '#openapi/api'
import { bodySchema } from '#openapi/bodies'
import { listParameters } from '#lists/docs/openapi'
import type { Role } from '#tests/support/access/users'
import { createStage, type Staged } from '#tests/support/access/fixtures'
import { TABLE, type Row } from '#tests/support/access/matrix_row'
import { baseUrl } from '#tests/support/app/api'
import { withReview } from '#tests/support/app/review'
import {
  faultOfAnswer,
  memberPaths,
  ODD_NAMES,
  ODD_TEXTS,
  ODD_VALUES,
  withValue,
} from '#tests/support/openapi/odd_values'
import { COUNTERPARTS } from '#tests/support/web/counterparts/all'
import { signedIn } from '#tests/support/web/client'

/** Number of odd values for each member. */
const RUNS = Number(process.env.ODD_VALUES ?? ODD_VALUES.length)
/** Streams never end by themselves. */
const STREAMS = /\/events$/

const titleOf = ({ route, about }: Row) => (about ? `${route} (${about})` : route)
const keyOf = ({ route }: Row) => route.replace('/api/v2', '').replace(/:(\w+)/g, '{$1}')

/** Returns a short description of the sent value. */
const shown = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 60)

test.group('Odd values', (group) => {
  let stage: Staged

  group.setup(withReview())
  group.each.setup(async (t) => {
    stage ??= await createStage(t.context.client)
  })

  async function faultOf(row: Row, role: Role, more: RequestInit, query = ''): Promise<string[]> {
    const [method] = row.route.split(' ')
    const path = row.path(stage.props)
    const url = `${baseUrl()}/api/v2${path}${query && (path.includes('?') ? '&' : '?') + query}`
    const headers = { 'x-api-key': stage.cast.keyOf(role, 'plain'), ...row.headers }
    const begun = performance.now()
    const response = await fetch(url, {
      method,
      ...more,
      headers: { ...headers, ...more.headers },
      signal: AbortSignal.timeout(30_000),
    })
    const fault = faultOfAnswer(response.status, await response.text(), performance.now() - begun)
    return fault ? [fault] : []
  }

  const json = (body: unknown): RequestInit => ({
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })

  for (const row of TABLE) {
    const operation = OPERATIONS[keyOf(row)]
    if (STREAMS.test(row.route)) continue

    if (operation.body) {
      test(`${titleOf(row)}: each member of the body`, async ({ assert }) => {
        const { body } = operation
        const base = { ...body!.example, ...row.body?.(stage.props) }
        const found: string[] = []
        for (const role of ['administrator', 'client editor'] as const) {
          for (const path of memberPaths(bodySchema(body!))) {
            for (const value of ODD_VALUES.slice(0, RUNS)) {
              const faults = await faultOf(row, role, json(withValue(base, path, value)))
              found.push(...faults.map((fault) => `${path.join('.')} ${shown(value)}: ${fault}`))
            }
          }
          for (const value of [null, [], 'text', 1, true, [[]], { toString: 1 }]) {
            const faults = await faultOf(row, role, json(value))
            found.push(...faults.map((fault) => `body ${shown(value)}: ${fault}`))
          }
        }
        assert.deepEqual(found, [])
      }).timeout(300_000)
    }

    const parameters = [
      ...(operation.list ? listParameters(operation.list) : []),
      ...(operation.parameters ?? []),
      { name: 'dry_run', in: 'query' as const },
    ]
    test(`${titleOf(row)}: each parameter`, async ({ assert }) => {
      const found: string[] = []
      const body = row.body ? json(row.body(stage.props)) : {}
      for (const { name, in: place } of parameters) {
        for (const value of ODD_TEXTS.slice(0, RUNS)) {
          // Headers cannot contain line breaks.
          if (place === 'header' && /[^\x20-\x7e]/.test(value)) continue
          const query = `${name}=${encodeURIComponent(value)}`
          const headers = { ...body.headers, [name]: value }
          const faults =
            place === 'header'
              ? await faultOf(row, 'administrator', { ...body, headers })
              : await faultOf(row, 'administrator', body, query)
          found.push(...faults.map((fault) => `${name} ${shown(value)}: ${fault}`))
        }
        for (const suffix of ODD_NAMES) {
          const query = `${name}${encodeURIComponent(suffix)}=1`
          const faults = await faultOf(row, 'administrator', body, query)
          found.push(...faults.map((fault) => `${name}${suffix}: ${fault}`))
        }
      }
      assert.deepEqual(found, [])
    }).timeout(300_000)
  }

  for (const [title, counterpart] of Object.entries(COUNTERPARTS)) {
    if ('none' in counterpart) continue
    test(`${title} in the web interface: each field`, async ({ assert }) => {
      const client = await signedIn(stage.cast.people.administrator)
      const token = await client.tokenOn('/account')
      const path = counterpart.path(stage.props)
      const found: string[] = []
      const ask = async (what: string, fields: Record<string, string>, query = '') => {
        const begun = performance.now()
        const to = path + (query && (path.includes('?') ? '&' : '?') + query)
        const page = counterpart.form
          ? await client.post(to, fields, { token })
          : await client.get(to)
        const fault = faultOfAnswer(page.status, page.html, performance.now() - begun)
        if (fault) found.push(`${what}: ${fault}`)
      }
      const form = (counterpart.form?.(stage.props) ?? {}) as Record<string, string>
      for (const [name, typed] of Object.entries(form)) {
        const others = Object.fromEntries(Object.entries(form).filter(([one]) => one !== name))
        await ask(`no ${name}`, others)
        for (const value of ODD_TEXTS.slice(0, RUNS)) {
          await ask(`${name} ${shown(value)}`, { ...form, [name]: value })
        }
        for (const suffix of ODD_NAMES) {
          await ask(`${name}${suffix}`, { ...others, [`${name}${suffix}`]: String(typed) })
        }
      }
      for (const name of ['q', 'sort', 'page', 'name', 'type', 'of', 'apply_at']) {
        await ask(`?${name}[toString]`, form, `${name}%5BtoString%5D=1`)
        await ask(`?${name}[]`, form, `${name}%5B%5D=1`)
        await ask(`?${name} is NUL`, form, `${name}=%00`)
      }
      assert.deepEqual(found, [])
    }).timeout(300_000)
  }
})
