import type { ApiClient, ApiRequest } from '@japa/api-client'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { PAIRS, type Named } from '#tests/support/access/foreign_objects'
import { PROBERS, withTemplate, type Prober } from '#tests/support/access/disclosure'
import { plantSecrets, wholeAnswer, type Secrets } from '#tests/support/access/secret_values'
import { createStage, requestOf, type Staged } from '#tests/support/access/fixtures'
import { TABLE, type Row } from '#tests/support/access/matrix_row'
import { caller } from '#tests/support/app/api'
import { withReview } from '#tests/support/app/review'
import { unique, zoneNamed } from '#tests/support/app/names'

let stage: Staged
let secrets: Secrets
let hidden: Named
let missing: Named
let ready: Promise<void> | undefined

/** Added to ids. No test creates so many rows. */
const BEYOND = 1_000_000_000

async function setUp(client: ApiClient): Promise<void> {
  stage = await createStage(client)
  secrets = await plantSecrets(client, stage.props)
  const { username } = await db.from('zw_users').where('id', secrets.props.userId).firstOrFail()
  hidden = { ...secrets.props, username, network: secrets.network }
  missing = {
    zoneId: BEYOND + 1,
    zoneName: zoneNamed('missing'),
    recordId: BEYOND + 2,
    trashId: BEYOND + 3,
    requestId: BEYOND + 8,
    userId: BEYOND + 4,
    groupId: BEYOND + 5,
    keyId: BEYOND + 6,
    templateId: BEYOND + 9,
    templateRecordId: BEYOND + 10,
    username: unique('missing'),
    network: '100.100.100',
  }
}

/** Replaces the names and ids of the request, which a message may repeat, and values that depend on them. */
function neutral(answer: string, named: Named): string {
  const { zoneName, username, network, ...ids } = named
  const texts = [zoneName, username, network, network.split('.').reverse().join('.')]
  const anonymous = texts.reduce((text, name) => text.replaceAll(name, '{name}'), answer)
  return anonymous
    .replace(/"message":"[^"]*"/, (message) =>
      message.replaceAll(/(?<![\w.])\d+(?![\w.])/g, (number) =>
        Object.values(ids).map(String).includes(number) ? '{id}' : number
      )
    )
    .replace(/"content-length","\d+"/, '"content-length",…')
    .replace(/sha256:[0-9a-f]{64}/, 'sha256:…')
    .replace(/"timestamp":"[^"]*"/g, '"timestamp":…')
}

/** Returns true if the request of the row names an object. */
function namesAny(row: Row): boolean {
  const [one, other] = [hidden, missing].map((it) => row.path(it) + JSON.stringify(row.body?.(it)))
  return one !== other || row.route.includes('/permission-templates/')
}

/** Returns true for routes whose objects the prober may see. */
function mayKnow({ blindTo }: Prober, { route }: Row): boolean {
  // Foreign zone templates get 403, which reveals that they exist.
  if (route.includes('/zone-templates')) {
    return true
  }
  const isAccount = /users|permission|groups|audit|explain/.test(route)
  return !blindTo.includes('account') && (isAccount || /api-keys/.test(route))
}

test.group('Hidden objects', (group) => {
  group.setup(withReview())
  group.each.setup((t) => (ready ??= setUp(t.context.client)))

  const difference = async (what: string, send: (named: Named) => ApiRequest) => {
    const [ofHidden, ofMissing] = [await send(hidden), await send(missing)]
    const hiddenResponse = neutral(wholeAnswer(ofHidden), hidden)
    const expected = neutral(wholeAnswer(ofMissing), missing)
    return hiddenResponse === expected && ofHidden.status() < 500
      ? []
      : [{ what, told: hiddenResponse, expected }]
  }

  for (const prober of PROBERS) {
    const name = `${prober.role}, ${prober.variant}`
    test(`${name}: every route responds to hidden objects as to missing ones`, async ({
      client,
      assert,
    }) => {
      const key = stage.cast.keyOf(prober.role, prober.variant)
      const found: object[] = []
      for (const row of TABLE.filter((it) => namesAny(it) && !mayKnow(prober, it))) {
        found.push(
          ...(await difference(row.route, (named) => {
            const id = named === hidden ? secrets.templateId : BEYOND + 7
            return requestOf(client, withTemplate(row, id), named, key)
          }))
        )
      }
      assert.deepEqual(found, [])
    }).timeout(60_000)
  }

  for (const { what, roles, send } of PAIRS) {
    test(`${what}: hidden and missing objects get the same response`, async ({
      client,
      assert,
    }) => {
      const found: object[] = []
      for (const role of roles) {
        const as = caller(client, { key: stage.cast.keyOf(role, 'plain') })
        found.push(...(await difference(role, (named) => send(as, stage.props, named))))
      }
      assert.deepEqual(found, [])
    })
  }
})
