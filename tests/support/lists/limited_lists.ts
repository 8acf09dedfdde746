import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { caller, createZone } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator, keyFor, person, createTeam } from '#tests/support/app/people/people'
import type { ListUnderTest } from '#tests/support/lists/list_under_test'
import type { ReferenceRow } from '#tests/support/lists/reference'
import { REFERENCE } from '#tests/support/lists/tables'
import { timestampOf, textOf } from '#tests/support/lists/texts'
import type { Random } from '#tests/support/random'

interface Zone {
  id: number
  name: string
  type: string
  /** Who sees it: the user as its owner, the user through the group, or neither. */
  by: 'user' | 'group' | 'nobody'
}

/**
 * Lists for a user with few rights, who owns some zones and reviews their changes, in a group that owns others. Also lists
 * for a key of this user that reaches some zones of each.
 */
export async function limitedLists(client: ApiClient, random: Random): Promise<ListUnderTest[]> {
  const group = await createTeam(['zone_content_view_own'])
  const user = await person({
    permissions: [
      'zone_content_view_own',
      'zone_content_edit_own',
      'zone_change_approve_own',
      'zone_templ_add',
      'api_manage_keys',
    ],
    groups: [group.name],
  })
  const zones = await addZones(client, random, user.id, group.id)
  const reached = zones.filter(() => random.chance(0.5))
  const narrow = await keyFor(user, { zones: reached.map(({ id, name }) => ({ id, name })) })
  const template = await addTemplates(random, user.id, zones)
  await addRequests(random, user, zones)
  const seen = zones.filter(({ by }) => by !== 'nobody')
  const views = [
    { as: caller(client, user), zones: seen },
    { as: caller(client, narrow), zones: seen.filter((zone) => reached.includes(zone)) },
  ]
  const own = views[0].as
  return [
    ...views.map((view) => ({
      as: view.as,
      path: '/zones',
      member: 'zones',
      key: 'id',
      reference: REFERENCE.zones,
      foldedBy: 'either' as const,
      words: [],
      rows: async () => withPosition(view.zones),
    })),
    ...views.map((view) => ({
      as: view.as,
      path: `/groups/${group.id}/zones`,
      member: 'zones',
      key: 'zone_id',
      reference: REFERENCE.groupZones,
      foldedBy: 'either' as const,
      words: [],
      rows: () => groupZones(view.zones, group.id),
    })),
    {
      as: own,
      path: '/zone-templates',
      member: 'templates',
      key: 'id',
      reference: REFERENCE.zoneTemplates,
      foldedBy: 'server',
      words: [],
      rows: () => templateRows(user.id, template, seen),
    },
    {
      as: own,
      path: '/api-keys',
      member: 'api_keys',
      key: 'id',
      reference: REFERENCE.keys,
      foldedBy: 'database',
      words: [],
      rows: async () => {
        const keys: ReferenceRow['cells'][] = await db.from('zw_api_keys').where('user_id', user.id)
        return keys.map((cells) => ({
          id: Number(cells.id),
          cells: { ...cells, owner: user.username },
        }))
      },
    },
    {
      as: own,
      path: '/change-requests',
      member: 'change_requests',
      key: 'id',
      reference: REFERENCE.changeRequests,
      foldedBy: 'server',
      words: zones.map(({ id }) => String(id)),
      rows: () => requestRows(user.id, zones),
    },
  ]
}

async function addZones(
  client: ApiClient,
  random: Random,
  user: number,
  group: number
): Promise<Zone[]> {
  const root = caller(client, await administrator())
  const word = unique('v').slice(0, 9)
  const zones: Zone[] = []
  for (let index = 0; index < 24; index++) {
    const by = random.pick(['user', 'user', 'group', 'group', 'nobody'] as const)
    const type = random.pick(['MASTER', 'NATIVE'])
    const name = `${random.pick(['host', 'zone', 'a-b'])}${index}.${word}.test`
    const owner = by === 'user' ? { owner_user_id: user } : {}
    const { id } = await createZone(root, { name, type, ...owner })
    zones.push({ id, name, type, by })
  }
  const given = zones.filter(({ by }) => by === 'group' || (by === 'user' && random.chance(0.3)))
  await db
    .table('zw_zone_groups')
    .multiInsert(
      given.map(({ id }) => ({ zone_id: id, group_id: group, created_at: timestampOf(random) }))
    )
  return zones
}

/** Adds the position of each zone in the order of names. */
function withPosition(zones: Zone[]): ReferenceRow[] {
  const sorted = zones.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return sorted.map(({ id, name, type }, position) => ({
    id,
    cells: { id, name, type, tree: 'forward', place: position },
  }))
}

async function groupZones(zones: Zone[], group: number): Promise<ReferenceRow[]> {
  const rows: { zone_id: number; created_at: string }[] = await db
    .from('zw_zone_groups')
    .where('group_id', group)
  return rows.flatMap(({ zone_id: id, created_at: at }) => {
    const zone = zones.find((one) => one.id === Number(id))
    if (!zone) return []
    const cells = { zone_id: zone.id, zone_name: zone.name, zone_type: zone.type, created_at: at }
    return [{ id: zone.id, cells }]
  })
}

/** Creates templates of the user and of others, global and not, and zones created from one of them. Returns its id. */
async function addTemplates(random: Random, user: number, zones: Zone[]): Promise<number> {
  const word = unique('lt')
  const otherUser = await person()
  const now = timestampOf(random)
  const templates = Array.from({ length: 12 }, (_, index) => ({
    name: `${word}${textOf(random)}-${index}`,
    description: textOf(random),
    user_id: index === 0 ? user : random.pick([user, otherUser.id]),
    is_global: random.chance(0.3),
    created_at: now,
    updated_at: now,
  }))
  await db.table('zw_zone_templates').multiInsert(templates)
  const { id } = await db.from('zw_zone_templates').where('name', templates[0].name).firstOrFail()
  const ids = zones.map((zone) => zone.id)
  const rows: { uid: string }[] = await db.from('zw_zones').whereIn('id', ids).select('uid')
  const link = { template_id: id, linked_at: now, synced_at: now, given: '[]' }
  await db
    .table('zw_zone_template_links')
    .multiInsert(rows.map(({ uid }) => ({ ...link, zone_uid: uid })))
  return Number(id)
}

async function templateRows(user: number, linked: number, seen: Zone[]): Promise<ReferenceRow[]> {
  const rows: ReferenceRow['cells'][] = await db.from('zw_zone_templates')
  return rows
    .filter((row) => row.user_id === user || Boolean(row.is_global))
    .map((row) => ({
      id: Number(row.id),
      cells: { ...row, zones_linked: row.id === linked ? seen.length : 0 },
    }))
}

/** Creates requests of the user and of others, each about one zone. */
async function addRequests(
  random: Random,
  who: { id: number; username: string },
  zones: Zone[]
): Promise<void> {
  const otherUser = await person()
  for (let index = 0; index < 40; index++) {
    const requester = random.pick([who, otherUser, otherUser])
    const created = timestampOf(random)
    await db.table('zw_change_requests').insert({
      kind: 'records',
      status: random.pick(['pending', 'pending', 'approved', 'rejected']),
      requester_id: requester.id,
      requester_name: requester.username,
      created_at: created,
    })
    const [{ id }] = await db.from('zw_change_requests').max('id as id')
    const zone = random.pick(zones)
    const { uid } = await db.from('zw_zones').where('id', zone.id).firstOrFail()
    await db.table('zw_change_request_zones').insert({
      request_id: id,
      position: 0,
      zone_id: zone.id,
      zone_uid: String(uid),
      zone_name: zone.name,
      terms: '{}',
    })
  }
}

/** Returns the requests that the user created, and those about the user's own zones. The group grants no right to review. */
async function requestRows(user: number, zones: Zone[]): Promise<ReferenceRow[]> {
  const requests = await db
    .from('zw_change_requests')
    .join('zw_change_request_zones as z', 'z.request_id', 'zw_change_requests.id')
    .select('zw_change_requests.id', 'status', 'requester_id', 'zone_id')
  const own = new Set(zones.filter(({ by }) => by === 'user').map(({ id }) => id))
  return requests
    .filter((row) => row.requester_id === user || own.has(Number(row.zone_id)))
    .map(({ id, status, zone_id: zone }) => ({
      id: Number(id),
      cells: { id: Number(id), status, zone_id: zone },
    }))
}
