import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator, person, createTeam } from '#tests/support/app/people/people'
import type { ListUnderTest } from '#tests/support/lists/list_under_test'
import type { ReferenceRow } from '#tests/support/lists/reference'
import { REFERENCE } from '#tests/support/lists/tables'
import { timestampOf } from '#tests/support/lists/texts'
import type { Random } from '#tests/support/random'

/** Deleted zones: those that a user owned, directly or through a group, and all. */
export async function trashLists(client: ApiClient, random: Random): Promise<ListUnderTest[]> {
  const group = await createTeam(['zone_content_view_own'])
  // The user must not see zones of this group.
  const blind = await createTeam([])
  const who = await person({ template: 'Zone Manager' })
  const stamp = '2020-01-02T10:00:00.000Z'
  await db
    .table('zw_group_members')
    .multiInsert(
      [group, blind].map(({ id }) => ({ group_id: id, user_id: who.id, joined_at: stamp }))
    )
  const ids = await addDeletedZones(random, 40)
  const owners = ids.flatMap((id) => [
    ...(random.chance(0.4) ? [{ kind: 'user', owner_id: who.id, trash_id: id }] : []),
    ...(random.chance(0.3) ? [{ kind: 'group', owner_id: group.id, trash_id: id }] : []),
    ...(random.chance(0.3) ? [{ kind: 'group', owner_id: blind.id, trash_id: id }] : []),
    { kind: 'user', owner_id: who.id + 1_000_000, trash_id: id },
  ])
  await db.table('zw_trash_owners').multiInsert(owners)
  const own = new Set(
    owners
      .filter(({ kind, owner_id: id }) => id === (kind === 'user' ? who.id : group.id))
      .map(({ trash_id: id }) => id)
  )
  const list = {
    path: '/trash',
    member: 'zones',
    key: 'id',
    reference: REFERENCE.trash,
    foldedBy: 'server' as const,
    words: [],
  }
  const rows = async (): Promise<ReferenceRow[]> => {
    const found: { id: number }[] = await db.from('zw_trash').select('id')
    return found.map(({ id }) => ({ id, cells: { id } }))
  }
  return [
    { ...list, as: caller(client, await administrator()), rows },
    {
      ...list,
      as: caller(client, who),
      rows: async () => {
        const all = await rows()
        return all.filter(({ id }) => own.has(Number(id)))
      },
    },
  ]
}

/** Adds rows of zones that never existed to the trash. Returns their trash ids. */
export async function addDeletedZones(random: Random, count: number): Promise<number[]> {
  const word = unique('gone')
  const zones = Array.from({ length: count }, (_, index) => ({
    zone_uid: `${word}-${index}`,
    entry: 2,
    zone_id: 800_000_000 + index,
    zone_name: `${word}-${index}.test`,
    deleted_at: timestampOf(random),
    username: 'somebody',
  }))
  for (let at = 0; at < count; at += 500) {
    await db.table('zw_trash').multiInsert(zones.slice(at, at + 500))
  }
  const rows: { id: number }[] = await db
    .from('zw_trash')
    .where('zone_uid', 'like', `${word}-%`)
    .orderBy('id')
    .select('id')
  return rows.map(({ id }) => id)
}
