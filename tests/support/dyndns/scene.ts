import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { caller, createZone, type Caller } from '#tests/support/app/api'
import { zoneTables } from '#tests/support/app/backend'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'

/** A zone with its owner, who may edit it as a client does, and no more. */
export interface DyndnsScene {
  /** Somebody who may do everything, and owns nothing of this. */
  admin: Caller
  owner: Person
  zone: { id: number; name: string }
  /** A host of the zone, without a record. */
  host: string
}

/** Makes the scene; one for each test, for they share a database. */
export async function dyndnsScene(client: ApiClient): Promise<DyndnsScene> {
  const admin = caller(client, await administrator())
  const owner = await person({ template: 'Editor' })
  const zone = await createZone(admin, { name: zoneNamed('dyn'), owner_user_id: owner.id })
  return { admin, owner, zone, host: `home.${zone.name}` }
}

/** The addresses of a host as they are stored, `A 192.0.2.1` and so on, in order. */
export async function addressesOf(host: string): Promise<string[]> {
  const rows: { type: string; content: string }[] = await db
    .from(zoneTables.records)
    .where('name', host)
    .whereIn('type', ['A', 'AAAA'])
  return rows.map(({ type, content }) => `${type} ${content}`).sort()
}

/** How many journal entries a zone has. */
export async function entriesOf({ id }: { id: number }): Promise<number> {
  const [row] = await db.from('zw_journal').where('zone_id', id).count('* as total')
  return Number(row.total)
}
