import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { caller, createZone, type Caller } from '#tests/support/app/api'
import { zoneTables } from '#tests/support/app/backend'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'

/** A zone and its owner, who may only edit records as a client. */
export interface DyndnsScene {
  /** An administrator who owns no zone of the scene. */
  admin: Caller
  owner: Person
  zone: { id: number; name: string }
  /** A host name of the zone, without a record. */
  host: string
}

/** Creates a scene. Each test needs its own, because tests share one database. */
export async function dyndnsScene(client: ApiClient): Promise<DyndnsScene> {
  const admin = caller(client, await administrator())
  const owner = await person({ template: 'Editor' })
  const zone = await createZone(admin, { name: zoneNamed('dyn'), owner_user_id: owner.id })
  return { admin, owner, zone, host: `home.${zone.name}` }
}

/** Returns the stored addresses of a host in order, as `A 192.0.2.1`. */
export async function addressesOf(host: string): Promise<string[]> {
  const rows: { type: string; content: string }[] = await db
    .from(zoneTables.records)
    .where('name', host)
    .whereIn('type', ['A', 'AAAA'])
  return rows.map(({ type, content }) => `${type} ${content}`).sort()
}

/** Returns the number of journal entries of a zone. */
export async function entriesOf({ id }: { id: number }): Promise<number> {
  const [row] = await db.from('zw_journal').where('zone_id', id).count('* as total')
  return Number(row.total)
}
