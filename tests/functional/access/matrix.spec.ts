import type { ApiClient, ApiResponse } from '@japa/api-client'
import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'
import { ROLES, VARIANTS, type Cast } from '#tests/support/access/users'
import { expectedStatus } from '#tests/support/access/expectation'
import { createStage, requestOf } from '#tests/support/access/fixtures'
import { withReview } from '#tests/support/app/review'
import { TABLE, type Props, type Row } from '#tests/support/access/matrix_row'

let cast: Cast
let props: Props
let ready: Promise<void> | undefined

function request(client: ApiClient, row: Row, key: string | null) {
  return requestOf(client, row, props, key)
}

async function setUp(client: ApiClient) {
  ;({ cast, props } = await createStage(client))
}

test.group('Access matrix', (group) => {
  group.setup(withReview())
  group.each.setup((t) => (ready ??= setUp(t.context.client)))

  test('every route of the API has a row, and every row has a route', ({ assert }) => {
    const routes = Object.values(router.toJSON())
      .flat()
      .filter(({ pattern }) => pattern.startsWith('/api/v2/'))
      .flatMap(({ methods, pattern }) => methods.map((method) => `${method} ${pattern}`))
      .filter((route) => !route.startsWith('HEAD '))
    assert.sameMembers([...new Set(TABLE.map(({ route }) => route))], [...new Set(routes)])
  })

  for (const row of TABLE) {
    const title = row.about ? `${row.route} (${row.about})` : row.route
    test(`${title}: a request without a valid key gets 401`, async ({ client, assert }) => {
      const answers = [null, cast.wrongKey, cast.inactiveKey, '']
      const responses: ApiResponse[] = []
      for (const key of answers) responses.push(await request(client, row, key))
      assert.deepEqual(
        responses.map((response) => [response.status(), response.text()]),
        answers.map(() => [401, responses[0].text()])
      )
    })

    test(`${title}: the status is correct for ${ROLES.length} roles and ${VARIANTS.length} kinds of keys`, async ({
      client,
      assert,
    }) => {
      const found: string[] = []
      const expected: string[] = []
      for (const role of ROLES) {
        for (const variant of VARIANTS) {
          const response = await request(client, row, cast.keyOf(role, variant))
          found.push(`${role}, ${variant}: ${response.status()}`)
          expected.push(`${role}, ${variant}: ${expectedStatus(row, role, variant)}`)
        }
      }
      assert.deepEqual(found, expected)
    }).timeout(120_000)
  }
})
