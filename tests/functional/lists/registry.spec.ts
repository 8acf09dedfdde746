// @databases
import { test } from '@japa/runner'
import { COMPONENTS, OPERATIONS } from '#openapi/api'
import type { JsonSchema } from '#openapi/schema'
import { LISTS } from '#controllers/api/docs/lists'
import { withReview } from '#tests/support/app/review'
import { allLists } from '#tests/support/lists/all'
import { Random } from '#tests/support/random'

/** Lists outside the specification or excepted by it, and why their declaration differs. */
const OTHERS: Record<string, string> = {
  '/audit': 'entries of a log, by cursors and filters of their own',
  '/zones/{id}/history': 'entries of a log, by cursors and filters of their own',
  '/search': 'by how well they fit',
  '/zone-templates/{id}/drift': 'worked out zone by zone',
  '/jobs': 'short: what the product knows',
  '/jobs/{job}/runs': 'as many as are kept of a job',
  '/webhooks': 'short: administrators create webhooks one by one',
  '/webhooks/{id}/deliveries': 'as many as are kept of a webhook',
  '/dynamic-dns/recipes': 'short: what the product knows',
  '/zones/{id}/owners': 'short and always whole, as the specification says',
  '/zones/{id}/dnssec/keys': 'short: the keys of one zone',
  '/zones/{id}/metadata': 'short: the kinds of one zone',
}

/** Several parts of one object are not a list. */
const OBJECTS = [
  '/change-requests/{id}',
  '/explain',
  '/server/status',
  '/zones/{id}/at',
  '/zones/{id}/diff',
  '/zones/{id}/dnssec',
  '/zones/{id}/dnssec/keys/{keyId}',
  '/zones/{id}/metadata/{kind}',
]

/** Returns paths below /api/v2 whose response is or contains an array, from the OpenAPI description, which has every route. */
function pathsOfArrays(): string[] {
  return Object.entries(OPERATIONS).flatMap(([key, { answers }]) => {
    const [method, path] = key.split(' ')
    const data = answers[200]
    return method === 'GET' && data && isOrHasArray(resolved(data)) ? [path] : []
  })
}

function isOrHasArray(schema: JsonSchema): boolean {
  const members = Object.values(schema.properties ?? {}).map(resolved)
  return [schema, ...members].some(({ type }) => [type].flat().includes('array'))
}

function resolved(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : COMPONENTS[name as keyof typeof COMPONENTS]
}

test.group('Every list of the API', (group) => {
  group.setup(withReview())
  group.each.timeout(60_000)

  test('every list is declared', ({ assert }) => {
    const known = [...Object.keys(LISTS), ...Object.keys(OTHERS), ...OBJECTS]
    assert.sameMembers(pathsOfArrays(), known)
  })

  test('every list is described as declared, and no other route is described as a list', ({
    assert,
  }) => {
    const described = Object.entries(OPERATIONS).filter(([, operation]) => operation.list)
    const declared = Object.keys(LISTS).map((path) => `GET ${path}`)
    assert.sameMembers(
      described.map(([key]) => key),
      declared
    )
    for (const [key, { list }] of described) {
      assert.isTrue(Object.is(list, LISTS[key.split(' ')[1]]), key)
    }
  })

  test('every list is compared with the specification, and sorts by its declared fields', async ({
    client,
    assert,
  }) => {
    const { lists, unsorted } = await allLists(client, new Random(1))
    const named = (path: string) => path.replace(/\d+/g, '{id}')
    const compared = new Set(lists.map(({ path }) => named(path)))
    assert.sameMembers([...compared], Object.keys(LISTS))
    assert.isEmpty(unsorted)
    for (const { as, path, reference } of lists) {
      const { sort, filters, search } = LISTS[named(path)]
      assert.deepEqual(sort, reference.sort, path)
      assert.deepEqual(filters, reference.filters ?? {}, path)
      assert.sameMembers([...search], reference.q, path)
      if (Object.keys(sort).length === 0) continue
      const response = await as.get(`${path}?sort=nonsense`)
      const { message } = response.body()
      assert.match(message, new RegExp(`fields: ${Object.keys(sort).join(', ')}$`))
    }
  })
})
