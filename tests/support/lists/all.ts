import type { ApiClient } from '@japa/api-client'
import { accountLists } from '#tests/support/lists/account_lists'
import type { ListUnderTest } from '#tests/support/lists/list_under_test'
import { templateLists } from '#tests/support/lists/template_lists'
import { requestLists } from '#tests/support/lists/request_lists'
import { trashLists } from '#tests/support/lists/trash_lists'
import { zoneLists } from '#tests/support/lists/zone_lists'
import type { Random } from '#tests/support/random'

/** Every list with random rows, and the lists without `sort`. */
export async function allLists(
  client: ApiClient,
  random: Random
): Promise<{ lists: ListUnderTest[]; unsorted: ListUnderTest[] }> {
  const all = [
    ...(await zoneLists(client, random)),
    ...(await accountLists(client, random)),
    ...(await templateLists(client, random)),
    ...(await requestLists(client, random)),
    ...(await trashLists(client, random)),
  ]
  const refusing = await Promise.all(
    all.map(async ({ as, path, reference }) => {
      const response = await as.get(`${path}?sort=nonsense`)
      // A list without fields of `sort` has one order for every request.
      const isSorted = Object.keys(reference.sort).length > 0
      return response.status() === (isSorted ? 400 : 200)
    })
  )
  return {
    lists: all.filter((_, index) => refusing[index]),
    unsorted: all.filter((_, index) => !refusing[index]),
  }
}
