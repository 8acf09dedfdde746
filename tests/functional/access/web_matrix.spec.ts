import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { ROLES, type Cast, type Role } from '#tests/support/access/users'
import { expectedStatus } from '#tests/support/access/expectation'
import { createStage } from '#tests/support/access/fixtures'
import { TABLE, type Props, type Row } from '#tests/support/access/matrix_row'
import { withReview } from '#tests/support/app/review'
import { COUNTERPARTS } from '#tests/support/web/counterparts/all'
import type { WebRequest } from '#tests/support/web/counterparts/counterpart'
import { signedIn, type WebClient } from '#tests/support/web/client'

let cast: Cast
let props: Props
let ready: Promise<void> | undefined
const visitors = new Map<Role, WebClient>()

async function setUp(client: ApiClient) {
  ;({ cast, props } = await createStage(client))
  for (const role of ROLES) visitors.set(role, await signedIn(cast.people[role]))
}

function titleOf(row: Row): string {
  return row.about ? `${row.route} (${row.about})` : row.route
}

async function statusOf(visitor: WebClient, { path, form }: WebRequest): Promise<number> {
  const page = form
    ? await visitor.post(path(props), form(props), { from: '/account/password' })
    : await visitor.get(path(props))
  return page.status
}

test.group('Access matrix of the web interface', (group) => {
  group.setup(withReview())
  group.each.setup((t) => (ready ??= setUp(t.context.client)))

  test('every row of the API matrix has a counterpart, and every counterpart has a row', ({
    assert,
  }) => {
    assert.sameMembers(Object.keys(COUNTERPARTS), [...new Set(TABLE.map(titleOf))])
  })

  for (const row of TABLE) {
    const counterpart = COUNTERPARTS[titleOf(row)]
    if (!counterpart || 'none' in counterpart) continue
    test(`${titleOf(row)}: the decision is the same as in the API, for ${ROLES.length} roles`, async ({
      assert,
    }) => {
      const found: string[] = []
      const expected: string[] = []
      for (const role of ROLES) {
        const status = expectedStatus(row, role, 'plain')
        found.push(`${role}: ${await statusOf(visitors.get(role)!, counterpart)}`)
        expected.push(`${role}: ${status === row.allowed ? counterpart.allowed : status}`)
      }
      assert.deepEqual(found, expected)
    }).timeout(60_000)
  }
})
