import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import { PERMISSIONS } from '#access/permissions'
import { notFound } from '#exceptions/refusal'
import { defineList } from '#lists/declaration'
import { listInMemory, withStoredNames } from '#lists/memory/sort_in_memory'
import type { ListResult } from '#lists/list_result'
import type { ListQuery } from '#lists/query'

/** A permission in answers. */
export interface ShownPermission {
  id: number
  name: string
  description: string
}

/** Columns and filters of the list. */
export const PERMISSION_LIST = defineList({
  sort: { id: 'number', name: 'natural' },
  search: ['name', 'description'],
  defaultOrder: [{ field: 'stored_name' }, { field: 'id' }],
  shortReason: 'the fixed set of permissions',
})

const ALL_PERMISSIONS: ShownPermission[] = Object.entries(PERMISSIONS).map(
  ([name, { id, meaning }]) => ({
    id,
    name,
    description: meaning,
  })
)

/** Lists all permissions. Throws a 403 `Refusal` if the actor may not edit permission templates. */
export function listPermissions(
  actor: Actor,
  query: ListQuery<keyof typeof PERMISSION_LIST.sort, never>
): ListResult<ShownPermission> {
  demand(actor, { action: 'permission.view' })
  return listInMemory(PERMISSION_LIST, query, withStoredNames(ALL_PERMISSIONS))
}

/** Returns one permission. Throws as `listPermissions`, and a 404 for an unknown id. */
export function findPermission(actor: Actor, id: number): ShownPermission {
  demand(actor, { action: 'permission.view' })
  const found = ALL_PERMISSIONS.find((permission) => permission.id === id)
  if (!found) {
    throw notFound('Permission not found')
  }
  return found
}
