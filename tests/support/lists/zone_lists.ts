import type { ApiClient } from '@japa/api-client'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { BackendManager } from '#backends/manager'
import { adoptAllZones } from '#changes/recovery/reconcile'
import { caller, dataOf, createZone, type Caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator, person, createTeam } from '#tests/support/app/people/people'
import type { ListUnderTest } from '#tests/support/lists/list_under_test'
import type { ReferenceRow } from '#tests/support/lists/reference'
import { REFERENCE } from '#tests/support/lists/tables'
import { inPunycode, timestampOf } from '#tests/support/lists/texts'
import type { Random } from '#tests/support/random'

const LABELS = [
  'host2',
  'host10',
  'host007',
  'host7',
  'host',
  '10',
  '9',
  'a-b',
  'axb',
  'zebra',
  'münchen',
]
/** For names of zones only: collations do not agree on the position of `_`. */
const ZONE_LABELS = [...LABELS, 'a_b', '_tcp']
const TYPES = ['MASTER', 'NATIVE', 'SLAVE']

/** Zones of an owner, zones of a group, and records and RRsets of one zone. */
export async function zoneLists(client: ApiClient, random: Random): Promise<ListUnderTest[]> {
  // Indexes zones that other test files of this process left.
  const backends = await app.container.make(BackendManager)
  await adoptAllZones(backends.use())
  const root = caller(client, await administrator())
  const owner = await person({ template: 'Zone Manager' })
  const as = caller(client, owner)
  const word = unique('l').slice(0, 9)
  const zones: { id: number; name: string }[] = []
  for (const [index, label] of ZONE_LABELS.entries()) {
    for (const name of [`${label}.${word}.test`, `${word}${label}.example${index % 3}`]) {
      const type = random.pick(TYPES)
      const primary = type === 'SLAVE' ? { master: '192.0.2.1' } : {}
      const { id } = await createZone(root, { name, type, ...primary, owner_user_id: owner.id })
      zones.push({ id, name: inPunycode(name) })
    }
  }
  const { id: group } = await createTeam(['zone_content_view_own'])
  for (const name of [`7.${word}.in-addr.arpa`, `10.${word}.in-addr.arpa`, `a.${word}.ip6.arpa`]) {
    zones.push(await createZone(root, { name, owner_user_id: owner.id }))
  }
  await db
    .table('zw_zone_groups')
    .multiInsert(
      zones
        .filter(() => random.chance(0.8))
        .map(({ id }) => ({ zone_id: id, group_id: group, created_at: timestampOf(random) }))
    )
  await addClients(random, zones, await createZone(root, { name: `elsewhere.${word}.test` }))
  const zone = await createZone(root, { name: `records.${word}.test`, owner_user_id: owner.id })
  await addRecords(root, zone.id, random)
  const foldedBy = 'either' as const
  const records = {
    as,
    foldedBy,
    words: ['a', 'TXT', 'Mx', `host2.records.${word}.test`, '192.0.2.', 'MÜNCHEN', 'münchen.ex'],
  }
  return [
    {
      as: root,
      path: `/groups/${group}/zones`,
      member: 'zones',
      key: 'zone_id',
      reference: REFERENCE.groupZones,
      foldedBy,
      rows: () => groupZoneRows(group),
      words: [],
    },
    {
      as,
      path: '/dynamic-dns/clients',
      member: 'clients',
      key: 'id',
      reference: REFERENCE.clients,
      foldedBy: 'database',
      rows: () => clientRows(zones),
      words: ['good', 'nochg', '!yours', `a.host2.${word}.test`],
    },
    {
      as,
      path: '/zones',
      member: 'zones',
      key: 'id',
      reference: REFERENCE.zones,
      foldedBy,
      rows: () => zoneRows(new Set([...zones, zone].map(({ id }) => id))),
      words: [],
    },
    {
      as: root,
      path: '/zones',
      member: 'zones',
      key: 'id',
      reference: REFERENCE.zones,
      foldedBy,
      rows: () => zoneRows(),
      words: [],
    },
    {
      ...records,
      path: `/zones/${zone.id}/records`,
      member: 'records',
      key: 'id',
      reference: REFERENCE.records,
      rows: () => shownRows(as, zone.id, 'records', ({ id }) => Number(id)),
    },
    {
      ...records,
      path: `/zones/${zone.id}/rrsets`,
      member: 'rrsets',
      key: setKey,
      reference: REFERENCE.rrsets,
      rows: () => shownRows(as, zone.id, 'rrsets', setKey),
    },
  ]
}

function treeOf(name: unknown): string {
  const text = String(name)
  if (text.endsWith('.in-addr.arpa')) return 'ipv4'
  return text.endsWith('.ip6.arpa') ? 'ipv6' : 'forward'
}

function setKey({ name, type }: { name?: unknown; type?: unknown }): string {
  return `${String(name)} ${String(type)}`
}

async function addRecords(as: Caller, zone: number, random: Random): Promise<void> {
  const ttls = new Map<string, number>()
  const records = Array.from({ length: 40 }, (_, index) => {
    const name = random.pick(['@', ...LABELS])
    const [type, content] = random.pick([
      ['A', `192.0.2.${index}`],
      ['A', `198.51.100.${index}`],
      ['MX', `${random.pick(LABELS)}.example.com`],
      ['TXT', `"${random.pick(['Text', 'a%b', 'a_b', '10', "it's"])} ${index}"`],
    ])
    const set = `${name} ${type}`
    const ttl = ttls.get(set) ?? random.pick([300, 3600, 60])
    ttls.set(set, ttl)
    const priority = type === 'MX' ? { priority: index } : {}
    return { action: 'create', name, type, content, ttl, ...priority }
  })
  const response = await as.post(`/zones/${zone}/records/bulk`, { operations: records })
  response.assertStatus(200)
}

/** Adds dynamic DNS hosts of these zones, and one of a zone that is not visible. */
async function addClients(
  random: Random,
  zones: { id: number; name: string }[],
  hidden: { id: number; name: string }
): Promise<void> {
  const rows = [...zones, hidden].flatMap(({ id, name }) =>
    ['a', 'B2', 'b10'].map((label) => ({
      hostname: `${label}.${name}`,
      zone_id: id,
      zone_name: name,
      first_seen_at: timestampOf(random),
      last_seen_at: timestampOf(random),
      last_change_at: random.chance(0.3) ? null : timestampOf(random),
      last_code: random.pick(['good', 'nochg', '!yours', '911']),
      user_agent: 'x/1',
      channel: 'dyndns',
      requests: random.below(20),
      changes: random.below(5),
      recent_changes: '[]',
    }))
  )
  await db.table('zw_dyndns_clients').multiInsert(rows)
}

async function clientRows(zones: { id: number }[]): Promise<ReferenceRow[]> {
  const ids = zones.map(({ id }) => id)
  const rows: ReferenceRow['cells'][] = await db.from('zw_dyndns_clients').whereIn('zone_id', ids)
  return rows.map((cells) => ({ id: Number(cells.id), cells }))
}

async function groupZoneRows(group: number): Promise<ReferenceRow[]> {
  const rows: Record<string, string | number>[] = await db
    .from('zw_zone_groups')
    .join('domains', 'domains.id', 'zw_zone_groups.zone_id')
    .where('group_id', group)
    .select('zone_id', 'name', 'type', 'created_at')
  return rows.map(({ zone_id: id, name, type, created_at: at }) => ({
    id: Number(id),
    cells: { zone_id: Number(id), zone_name: name, zone_type: type, created_at: at },
  }))
}

/** Returns stored zones, all or some, each with its `place` in the order of names. */
async function zoneRows(ids?: ReadonlySet<number>): Promise<ReferenceRow[]> {
  const { table, columns } = await zoneIndex()
  const rows: Record<string, string | number>[] = await db
    .from(table)
    .orderBy(columns.name)
    .orderBy(columns.id)
  if (db.connection().dialect.name === 'mysql') {
    // The table of PowerDNS has another collation, which lists do not use.
    rows.sort((one, other) => (String(one[columns.name]) < String(other[columns.name]) ? -1 : 1))
  }
  return rows
    .map((row, position) => {
      const id = Number(row[columns.id])
      const name = String(row[columns.name]).toLowerCase()
      const type = String(row[columns.kind] || 'MASTER').toUpperCase()
      return { id, cells: { id, name, type, tree: treeOf(name), place: position } }
    })
    .filter(({ id }) => ids === undefined || ids.has(id))
}

async function zoneIndex() {
  const manager = await app.container.make(BackendManager)
  return manager.use().zoneIndex
}

/** Returns the RRsets of a zone in the order of the database: by type, then name. */
async function setsOf(zone: number): Promise<string[]> {
  const { records = 'records' } = await zoneIndex()
  const rows: { type: string; name: string }[] = await db
    .from(records)
    .where('domain_id', zone)
    .whereNotNull('type')
    .distinct('type', 'name')
    .orderBy('type')
    .orderBy('name')
  return rows.map(setKey)
}

/**
 * Returns the rows of the complete list, each with the `place` of its RRset in the zone. The contents of an RRset are joined
 * to one text.
 */
async function shownRows(
  as: Caller,
  zone: number,
  member: 'records' | 'rrsets',
  key: (item: Record<string, unknown>) => string | number
): Promise<ReferenceRow[]> {
  const items: Record<string, unknown>[] = await dataOf(as.get(`/zones/${zone}/${member}`), member)
  const sets = await setsOf(zone)
  return items.map((item) => {
    const records = item.records as { content: string }[] | undefined
    const contents = records && { content: records.map(({ content }) => content).join('\n') }
    return {
      id: key(item),
      cells: { ...(item as ReferenceRow['cells']), ...contents, place: sets.indexOf(setKey(item)) },
    }
  })
}
