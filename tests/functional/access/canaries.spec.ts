import type { ApiClient, ApiRequest } from '@japa/api-client'
import { test } from '@japa/runner'
import {
  PROBERS,
  queries,
  withQuery,
  withTemplate,
  type Prober,
} from '#tests/support/access/disclosure'
import { plantSecrets, wholeAnswer, type Secrets } from '#tests/support/access/secret_values'
import { createStage, requestOf, type Staged } from '#tests/support/access/fixtures'
import { withReview } from '#tests/support/app/review'
import { TABLE, type Row } from '#tests/support/access/matrix_row'

interface Scene extends Staged {
  secrets: Secrets
  /** Responses of lists before the other tenant existed, by prober and address. */
  before: Map<string, string>
}

let scene: Scene
let ready: Promise<void> | undefined

const LISTS = TABLE.filter(({ route }) => route.startsWith('GET'))
/** Probers whose responses must not depend on another tenant, not even in counts. */
const UNAWARE = PROBERS.filter(({ blindTo }) => blindTo.length === 3)

async function setUp(client: ApiClient): Promise<void> {
  const stage = await createStage(client)
  const before = await listAnswers(client, stage)
  scene = { ...stage, before, secrets: await plantSecrets(client, stage.props) }
}

/** Returns the responses of every GET route to probers that see nothing of others. */
async function listAnswers(client: ApiClient, { cast, props }: Staged) {
  const answers = new Map<string, string>()
  for (const { role, variant } of UNAWARE) {
    for (const row of LISTS) {
      for (const requested of [row, withQuery(row, 'page=1&per_page=1000')]) {
        const response = await requestOf(client, requested, props, cast.keyOf(role, variant))
        answers.set(
          `${role}, ${variant}: ${requested.path(props)}`,
          timeless(wholeAnswer(response))
        )
      }
    }
  }
  return answers
}

/** Replaces times that change with every request, and the content length. */
function timeless(answer: string): string {
  return answer
    .replace(/"last_used_(at|from)":("[^"]*"|null)/g, '"last_used_$1":…')
    .replace(/"content-length","\d+"/, '"content-length",…')
    .replace(/"timestamp":"[^"]*"/g, '"timestamp":…')
}

/** Returns canaries in the response that the prober may not see and did not send. */
function leakedCanaries({ blindTo }: Prober, sent: string, answer: string): string[] {
  const hidden = blindTo.flatMap((kind) => scene.secrets.canaries[kind])
  return hidden.filter((canary) => answer.includes(canary) && !sent.includes(canary))
}

test.group('Canaries of another tenant', (group) => {
  group.setup(withReview())
  group.each.setup((t) => (ready ??= setUp(t.context.client)))

  test('an administrator sees the canaries', async ({ client, assert }) => {
    const { cast, secrets } = scene
    let seen = ''
    for (const row of LISTS) {
      for (const query of queries(secrets).slice(0, 2)) {
        const requested = withQuery(withTemplate(row, secrets.templateId), query)
        const key = cast.keyOf('administrator', 'plain')
        seen += wholeAnswer(await requestOf(client, requested, secrets.props, key))
      }
    }
    const unseen = Object.entries(secrets.canaries).flatMap(([kind, canaries]) =>
      canaries.flatMap((canary, index) => (seen.includes(canary) ? [] : [`${kind} ${index}`]))
    )
    assert.deepEqual(unseen, [])
  })

  for (const prober of PROBERS) {
    const name = `${prober.role}, ${prober.variant}`
    test(`${name}: no route returns a canary`, async ({ client, assert }) => {
      const { cast, props, secrets } = scene
      const key = cast.keyOf(prober.role, prober.variant)
      const found: string[] = []
      const checkResponse = async (row: Row, objects: typeof props, call: ApiRequest) => {
        const sent = row.path(objects) + JSON.stringify(row.body?.(objects) ?? null)
        const response = await call
        const leaked = leakedCanaries(prober, sent, wholeAnswer(response))
        const isFault = response.status() >= 500 && response.status() !== row.allowed
        if (leaked.length > 0 || isFault) {
          found.push(`${row.route} ${row.path(objects)}: ${response.status()} ${leaked.join(', ')}`)
        }
      }
      for (const row of TABLE) {
        const theirs = withTemplate(row, secrets.templateId)
        await checkResponse(row, props, requestOf(client, row, props, key))
        await checkResponse(theirs, secrets.props, requestOf(client, theirs, secrets.props, key))
        if (!LISTS.includes(row) || /:\w+$/.test(row.route)) continue
        for (const query of queries(secrets)) {
          const requested = withQuery(row, query)
          await checkResponse(requested, props, requestOf(client, requested, props, key))
        }
      }
      assert.deepEqual(found, [])
    }).timeout(60_000)
  }

  test('foreign objects change no list, count or order', async ({ client, assert }) => {
    const now = await listAnswers(client, scene)
    assert.isAbove(now.size, UNAWARE.length * LISTS.length)
    assert.deepEqual(
      [...now].filter(([request, answer]) => answer !== scene.before.get(request)),
      []
    )
  }).timeout(60_000)
})
