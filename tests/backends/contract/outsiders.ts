import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BackendZone } from '#backends/contract/backend'
import type { RRset, RRsetChange } from '#dns/types'
import { runProgram } from '#tests/support/programs'
import type { Bench } from './bench.js'
import { raw } from './raw.js'

/** Query of the zone's rows at one owner name, for SQL of another writer. */
export function rowsAt(zone: BackendZone, name: string, type?: string) {
  const rows = raw()
    .from('records')
    .where('domain_id', raw().from('domains').where('name', zone.name).select('id'))
    .where('name', name)
  return type === undefined ? rows : rows.where('type', type)
}

/** Inserts a row as another tool does, by default an A record. */
export async function insertRow(zone: BackendZone, name: string, values: object = {}) {
  const row = { type: 'A', content: '192.0.2.1', ttl: 300, prio: 0, disabled: false, auth: true }
  const { id } = await raw().from('domains').where('name', zone.name).select('id').firstOrFail()
  await raw()
    .table('records')
    .insert({ domain_id: id, name, ...row, ...values })
}

/** Makes SQLite reuse the id of the last deleted row, as in tables of PowerDNS' own schema. */
export async function forgetHighestId(): Promise<void> {
  const isSqlite = raw().dialect.name === 'better-sqlite3'
  if (isSqlite && (await raw().from('sqlite_master').where('name', 'sqlite_sequence').first())) {
    await raw().from('sqlite_sequence').where('name', 'records').update({ seq: 0 })
  }
}

/** Sends a real dynamic update (RFC 2136) to the name server. */
export async function nsupdate(bench: Bench, zone: BackendZone, ...lines: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'nsupdate-'))
  const script = ['server 127.0.0.1 ' + bench.dns.port, `zone ${zone.name}`, ...lines, 'send', '']
  writeFileSync(join(folder, 'script'), script.join('\n'))
  try {
    await runProgram('nsupdate', ['-v', join(folder, 'script')])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Takes the external changes and formats each RRset as "name type: before => after". Changes of properties are taken, too. */
export async function takeExternalChanges(
  bench: Bench,
  zone: BackendZone,
  names?: string[]
): Promise<string[]> {
  const changes = await bench.locked(zone, async (session, lockedZone) => {
    const rrsetChanges = await session.takeExternalChanges(lockedZone, names)
    await session.takeExternalPropertyChanges(lockedZone, { withMetadata: true })
    return rrsetChanges
  })
  return show(changes)
}

/** Formats each change as "name type: before => after", with unusual fields of records. */
export function show(changes: RRsetChange[]): string[] {
  return changes.map(({ name, type, before, after }) => {
    return `${name} ${type}: ${showSet(before)} => ${showSet(after)}`
  })
}

function showSet(set: RRset | null): string {
  if (!set) {
    return '-'
  }
  const records = set.records.map(({ content, priority, disabled }) => {
    return `${priority ? `${priority} ` : ''}${content}${disabled ? ' (disabled)' : ''}`
  })
  return `${set.ttl} ${records.sort().join(', ')}`
}
