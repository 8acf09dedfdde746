import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { apiDescription, OPERATIONS, TAG_DESCRIPTIONS as TAGS } from '#openapi/api'
import { bodySchema } from '#openapi/bodies'
import { caller } from '#tests/support/app/api'
import { administrator } from '#tests/support/app/people/people'
import { CalledServer } from '#tests/support/app/server'
import { changeSettings } from '#tests/support/app/settings'
import { DescribedAnswers } from '#tests/support/openapi/described_answers'

interface Route {
  pattern: string
  methods: string[]
}

/** Routes that are described elsewhere, or are streams without a body schema. */
const UNDESCRIBED: string[] = []

function routes(): string[] {
  const all = Object.values(router.toJSON()).flat() as Route[]
  return all
    .filter(({ pattern }) => pattern.startsWith('/api/v2/'))
    .flatMap(({ pattern, methods }) => {
      const path = pattern.replace('/api/v2', '').replace(/:(\w+)/g, '{$1}')
      return methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${path}`)
    })
    .filter((route) => !UNDESCRIBED.includes(route))
}

test.group('The description of the API', () => {
  const answers = new DescribedAnswers()

  test('the description has every route, and no other', ({ assert }) => {
    assert.sameMembers(Object.keys(OPERATIONS), routes())
  })

  test('a third-party validator accepts the description', async ({ assert }) => {
    const { valid, errors } = await new Validator().validate(
      structuredClone(answers.description) as unknown as Record<string, unknown>
    )
    assert.isTrue(valid, JSON.stringify(errors))
  })

  test('a third-party linter accepts the description', async ({ assert }) => {
    const config = await createConfig({
      extends: ['recommended'],
      rules: { 'info-contact': 'error' },
    })
    const source = JSON.stringify(apiDescription())
    const problems = await lintFromString({ source, config })
    assert.deepEqual(
      problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
      []
    )
  }).timeout(60_000)

  test('each operation has a tag, a title and an example', ({ assert }) => {
    for (const [key, { tag, summary }] of Object.entries(OPERATIONS)) {
      assert.property(TAGS, tag, key)
      assert.isNotEmpty(summary, key)
      const [method, path] = key.split(' ')
      const operation = answers.operation(method, `/api/v2${path}`)
      assert.isDefined(operation, key)
      const successes = Object.keys(operation!.responses).filter((status) => status < '300')
      assert.isNotEmpty(successes, key)
    }
  })

  test('examples match their schemas', ({ assert }) => {
    for (const [path, methods] of Object.entries(answers.description.paths)) {
      for (const [method, { requestBody, responses }] of Object.entries(methods)) {
        const examples = [
          ...Object.entries(requestBody?.content ?? {}),
          ...Object.values(responses).flatMap(({ content }) => Object.entries(content ?? {})),
        ]
        for (const [type, { schema, example }] of examples) {
          if (schema) {
            assert.isNull(answers.problemOf(schema, example), `${method} ${path} ${type}`)
          }
        }
      }
    }
  })

  test('required members of a body are required by the routes', async ({ client, assert }) => {
    const admin = caller(client, await administrator())
    const makers = Object.entries(OPERATIONS).filter(([key]) => /^POST [^{]+$/.test(key))
    let checked = 0
    for (const [key, { body }] of makers) {
      const path = key.slice('POST '.length)
      const schema = body ? (bodySchema(body) as { required?: string[] }) : {}
      for (const name of schema.required ?? []) {
        const given = Object.entries(body!.example).filter(([member]) => member !== name)
        const response = await admin.post(path, Object.fromEntries(given))
        assert.equal(response.status(), 400, `${key} without ${name}: ${response.text()}`)
        checked += 1
      }
    }
    assert.isAbove(checked, 10)
  })

  test('each list says how it is restricted without parameters', ({ assert }) => {
    const { parameters } = answers.operation('GET', '/api/v2/change-requests')!
    const status = parameters?.find(({ name }) => name === 'status')
    assert.equal(status?.schema.default, 'pending')
  })

  test('operation ids are unique', ({ assert }) => {
    const ids = Object.values(answers.description.paths).flatMap((methods) =>
      Object.values(methods).map((it) => (it as { operationId?: string }).operationId)
    )
    assert.lengthOf(new Set(ids), ids.length)
  })
})

test.group('/api/docs', (group) => {
  group.each.timeout(60_000)

  test('/api/docs is disabled by default', async ({ client, assert }) => {
    for (const path of ['', '/json', '/v2/json', '/openapi.json', '/start.js', '/swagger-ui.css']) {
      const response = await client.get(`/api/docs${path}`)
      response.assertStatus(404)
      assert.equal(response.body().error, 'Not Found')
    }
  })

  test('/api/docs serves the page, its assets and the description while the API is disabled', async ({
    assert,
    cleanup,
  }) => {
    cleanup(changeSettings({ api: { docs_enabled: true, enabled: false } }))
    const server = CalledServer.ofThisProcess()
    const get = (path: string) => fetch(`${server.url}/api/docs${path}`)

    const page = await get('')
    const html = await page.text()
    assert.equal(page.status, 200)
    assert.notMatch(html, /<script>|<style|style=|https?:/)
    assert.include(page.headers.get('content-security-policy') ?? '', "script-src 'self'")
    const wanted = [...html.matchAll(/(?:src|href)="\/api\/docs(\/[^"]+)"/g)].map(
      ([, path]) => path
    )
    assert.lengthOf(wanted, 4)
    for (const path of wanted) {
      const answer = await get(path)
      assert.equal(answer.status, 200, path)
      const { byteLength } = await answer.arrayBuffer()
      assert.isAbove(byteLength, 100, path)
    }
    const [one, other] = await Promise.all(['/json', '/v2/json'].map(get))
    const description = (await one.json()) as { openapi: string; servers: object[] }
    assert.deepEqual(await other.json(), description)
    assert.match(description.openapi, /^3\.1\./)
    assert.deepEqual(description.servers, [{ url: '/api' }])
    const stranger = await get('/package.json')
    assert.equal(stranger.status, 404)
  })
})
