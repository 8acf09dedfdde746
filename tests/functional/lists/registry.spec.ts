import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'
import { LISTS } from '#controllers/api/lists'
import { withReview } from '#tests/support/app/review'
import { allLists } from '#tests/support/lists/all'
import { Random } from '#tests/support/random'

/** Lists that are none of the specification's, or that it excepts. */
const OTHERS = [
  // Entries of a log, by cursors and filters of their own.
  '/audit',
  // By how well they fit.
  '/search',
  '/trash',
  '/zones/{id}/history',
  // Short, and always whole.
  '/jobs',
  '/webhooks',
  '/zones/{id}/owners',
  '/zones/{id}/dnssec/keys',
  '/zones/{id}/metadata',
]

interface Route {
  pattern: string
  methods: string[]
  handler: unknown
}

/** Paths below /api/v2 that answer lists: those of actions by the name of index. */
function listRoutes(): string[] {
  const routes = Object.values(router.toJSON()).flat() as Route[]
  return routes
    .filter(({ pattern, methods, handler }) => {
      const { reference } = handler as { reference?: unknown }
      const isIndex = Array.isArray(reference) && reference[1] === 'index'
      return pattern.startsWith('/api/v2/') && methods.includes('GET') && isIndex
    })
    .map(({ pattern }) => pattern.replace('/api/v2', '').replace(/:(\w+)/g, '{$1}'))
}

test.group('Every list of the API', (group) => {
  group.setup(withReview())
  group.each.timeout(60_000)

  test('is declared', ({ assert }) => {
    assert.sameMembers(listRoutes(), [...Object.keys(LISTS), ...OTHERS])
  })

  test('is compared with the specification, and sorts by what it declares', async ({
    client,
    assert,
  }) => {
    const { lists, unsorted } = await allLists(client, new Random(1))
    const named = (path: string) => path.replace(/\d+/g, '{id}')
    assert.sameMembers(
      lists.map(({ path }) => named(path)),
      Object.keys(LISTS)
    )
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
