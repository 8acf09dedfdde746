import db from '@adonisjs/lucid/services/db'
import { nameServerDatabase, zoneTables } from '#tests/support/app/backend'
import type { Caller } from '#tests/support/app/api'
import { journalOf } from '#tests/support/app/zones/zones'

/** A zone of a test. */
interface Zone {
  id: number
  name: string
}

/** A record row as another tool writes it. */
export interface ExternalRow {
  name: string
  type: string
  content: string
  ttl?: number
  prio?: number
  disabled?: boolean
}

/** Inserts record rows directly, as another tool does. Names are relative to the zone; '' is the apex. */
export async function writeExternally(zone: Zone, ...rows: ExternalRow[]): Promise<void> {
  const domain = await nameServerDatabase().from('domains').where('name', zone.name).firstOrFail()
  for (const { name, type, content, ttl = 300, prio = 0, disabled = false } of rows) {
    const table = nameServerDatabase().table('records')
    await table.insert({
      domain_id: Number(domain.id),
      name: name === '' ? zone.name : `${name}.${zone.name}`,
      type,
      content,
      ttl,
      prio,
      disabled,
      auth: true,
    })
  }
}

/** Queries rows of a zone directly, for changes and deletions as by another tool. */
export function externalRows(zone: Zone, name: string, type?: string) {
  const full = name === '' ? zone.name : `${name}.${zone.name}`
  const server = nameServerDatabase()
  const rows = server
    .from('records')
    .where('domain_id', server.from('domains').where('name', zone.name).select('id'))
    .where('name', full)
  return type === undefined ? rows : rows.where('type', type)
}

/** Returns the records of a zone in a stable order, without the serial of the SOA record. */
export async function contentsOf(zone: Pick<Zone, 'id'>): Promise<string[]> {
  const { name: zoneName } = await db.from(zoneTables.zones).where('id', zone.id).firstOrFail()
  const server = nameServerDatabase()
  const rows = await server
    .from('records')
    .where('domain_id', server.from('domains').where('name', zoneName).select('id'))
    .whereNotNull('type')
  return rows
    .map(({ name, type, content, ttl, prio, disabled }) => {
      const text = type === 'SOA' ? content.split(' ').with(2, 'serial').join(' ') : content
      return JSON.stringify([name, type, text, ttl, prio, Boolean(disabled)])
    })
    .sort()
}

/** Returns the number of the newest journal entry of a zone. */
export async function newest(zone: Pick<Zone, 'id'>): Promise<number> {
  const entries = await journalOf(zone.id)
  return entries[entries.length - 1]?.entry ?? 0
}

/** Builds the call that undoes an entry. */
export function undo(as: Caller, zone: Pick<Zone, 'id'>, entry: number, body: object = {}) {
  return as.post(`/zones/${zone.id}/history/${entry}/undo`, body)
}

/** Builds the call that restores a zone or a part of it. */
export function restore(as: Caller, zone: Pick<Zone, 'id'>, body: object) {
  return as.post(`/zones/${zone.id}/restore`, body)
}

/** Returns the entries of `GET /history` with their changes, newest first. */
export async function historyEntries(as: Caller, zone: Pick<Zone, 'id'>, query = '') {
  const response = await as.get(`/zones/${zone.id}/history?include=changes${query}`)
  response.assertStatus(200)
  return response.body().data.entries
}
