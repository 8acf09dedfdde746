import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** The migration after which `writeOlderRows` writes. */
export const OLDER = 'database/migrations/0037_create_first_run_table'

/** More than the migrations that follow move at once. */
const ENTRIES = 1_100
const DELETED = 250

const MOMENT = '2026-01-02T03:04:05.678Z'
const UID = 'uid-of-the-zone'
const ZONE = 'again.example'

/** What an installation of an older version has, so that the migrations after it have something to move. */
export async function writeOlderRows(client: QueryClientContract): Promise<void> {
  await writePeople(client)
  await writeZone(client)
  await writeJournal(client)
}

/** Of each table, how many rows of it have what the migrations that followed have given them. */
export async function movedRows(client: QueryClientContract): Promise<Record<string, number>> {
  const count = async (table: string, where: string) => {
    const [row] = (await client.from(table).whereRaw(where).count('* as total')) as {
      total: number
    }[]
    return Number(row.total)
  }
  return {
    changes: await count(
      'zw_journal_changes',
      'EXISTS (SELECT 1 FROM zw_journal j WHERE j.id = journal_id' +
        ' AND j.zone_uid = zw_journal_changes.zone_uid AND j.entry = zw_journal_changes.entry)'
    ),
    creations: await count('zw_journal', "zone_action = 'create' AND entry = 1"),
    edits: await count('zw_journal', "zone_action = 'properties' AND entry = 2"),
    deletions: await count('zw_journal', "zone_action = 'delete'"),
    others: await count('zw_journal', 'zone_action IS NULL'),
    owners: await count('zw_trash_owners', "kind = 'user'"),
    groups: await count('zw_trash_owners', "kind = 'group'"),
    users: await count('zw_users', "username_key = 'ämin' AND email_key <> ''"),
    zones: await count('zw_seen_zones', 'sets = 2 AND keyed_to = 0'),
  }
}

/** What `movedRows` says once they have. */
export const MOVED = {
  changes: 2 * ENTRIES,
  creations: 1,
  edits: 1,
  deletions: DELETED,
  others: ENTRIES - 2,
  owners: 2 * DELETED,
  groups: DELETED,
  users: 1,
  zones: 1,
}

async function writePeople(client: QueryClientContract): Promise<void> {
  await client.table('zw_permission_templates').insert({ id: 1, name: 'A', template_type: 'user' })
  const times = { created_at: MOMENT, updated_at: MOMENT }
  await client.table('zw_users').multiInsert([
    { id: 1, username: 'Ämin', email: 'A@again.example', permission_template_id: 1, ...times },
    { id: 2, username: 'b', email: null, permission_template_id: 1, ...times },
  ])
  await client.table('zw_api_keys').insert({
    name: 'k',
    user_id: 1,
    secret_hash: '0'.repeat(64),
    prefix: 'zw_',
    created_at: MOMENT,
  })
}

async function writeZone(client: QueryClientContract): Promise<void> {
  await client.table('domains').insert({ id: 1, name: ZONE, type: 'NATIVE' })
  const records = [1, 2, 3].map((id) => ({
    id,
    name: id < 3 ? `www.${ZONE}` : ZONE,
    type: 'A',
    content: `192.0.2.${id}`,
    ttl: 300,
    prio: 0,
    disabled: false,
  }))
  await client.table('records').multiInsert(records.map((row) => ({ ...row, domain_id: 1 })))
  await client.table('zw_zones').insert({
    id: 1,
    uid: UID,
    name: ZONE,
    name_key: 'example again',
    sort_key: ZONE,
    kind: 'NATIVE',
    last_entry: ENTRIES,
    created_at: MOMENT,
  })
  const seen = { zone_id: 1, zone_name: ZONE, records: 3, keyed_to: 3 }
  await client.table('zw_seen_zones').insert(seen)
  await client
    .table('zw_seen_records')
    .multiInsert(records.map(({ id, ...row }) => ({ ...row, zone_id: 1, record_id: id })))
  await client.table('zw_record_keys').multiInsert(
    records.map(({ id, name, type, content, ttl, prio }) => ({
      zone_id: 1,
      record_id: id,
      name_key: name,
      type_key: type,
      content_key: content,
      ttl,
      priority: prio,
    }))
  )
  await client.table('zw_record_notes').insert({
    zone_id: 1,
    owner: 'www',
    type: 'A',
    record_hash: '0'.repeat(64),
    above: '["a"]',
    beside: '""',
  })
}

/** Of the zone: it was made, edited, and then changed again and again. And zones that were deleted, by two owners and a group. */
async function writeJournal(client: QueryClientContract): Promise<void> {
  const about = { time: MOMENT, username: 'Ämin', door: 'api' }
  const properties = (entry: number) => ({
    zone_before: entry === 2 ? '{"description":null}' : null,
    zone_after: entry <= 2 ? '{"description":"x"}' : null,
  })
  await client.table('zw_journal').multiInsert(
    Array.from({ length: ENTRIES }, (_, index) => ({
      id: index + 1,
      zone_uid: UID,
      entry: index + 1,
      zone_id: 1,
      zone_name: ZONE,
      ...about,
      ...properties(index + 1),
    }))
  )
  for (const [position, type] of ['A', 'AAAA'].entries()) {
    await client.rawQuery(
      `INSERT INTO zw_journal_changes (journal_id, position, name, type)
       SELECT id, ?, zone_name, ? FROM zw_journal`,
      [position, type]
    )
  }
  const deleted = Array.from({ length: DELETED }, (_, index) => ({
    zone_uid: `deleted-${index}`,
    entry: 7,
    zone_id: 100 + index,
    zone_name: `gone${index}.example`,
  }))
  const before = JSON.stringify({ owners: { users: [1, 2], groups: [1] } })
  await client
    .table('zw_journal')
    .multiInsert(deleted.map((row) => ({ ...row, ...about, zone_before: before })))
  await client
    .table('zw_trash')
    .multiInsert(deleted.map((row) => ({ ...row, deleted_at: MOMENT, username: 'Ämin' })))
}
