import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { BackendManager } from '#backends/manager'
import { reconcileZones, type Repairs } from '#changes/recovery/reconcile'
import { zoneTables } from '#tests/support/app/backend'
import { zoneNamed } from '#tests/support/app/names'

/** Creates a zone without records directly in the table of PowerDNS, as another tool does. */
export async function foreignZone(type = 'NATIVE', name = zoneNamed('foreign')) {
  await db.table('domains').insert({ name, type })
  const { id }: { id: number } = await db.from('domains').where('name', name).firstOrFail()
  return { id: Number(id), name }
}

/** Returns the backend of the server under test. */
export async function backendUnderTest() {
  const manager = await app.container.make(BackendManager)
  return manager.use()
}

/** Runs one complete reconciliation of the zone index. Returns the repairs. */
export async function reconcileAll(): Promise<Repairs> {
  const backend = await backendUnderTest()
  const found: Repairs = { adopted: 0, replaced: 0, changed: 0, gone: 0 }
  for (let after: number | null = 0; after !== null;) {
    const { next, repairs } = await reconcileZones(backend, after)
    for (const what of Object.keys(found) as (keyof Repairs)[]) found[what] += repairs[what]
    after = next
  }
  return found
}

/** Returns the ids of zones in lists and the ids of existing zones. Both are equal if the index is correct. */
export async function listedAndExisting(): Promise<{ listed: string[]; living: string[] }> {
  const listed = await db.from('zw_zones').whereNotNull('kind').select('id', 'name', 'kind')
  const living = await db.from(zoneTables.zones).select('id', 'name', 'type as kind')
  const described = (rows: { id: number; name: string; kind: string }[]) =>
    rows
      .map(({ id, name, kind }) => `${id} ${name.toLowerCase()} ${kind.toUpperCase() || 'MASTER'}`)
      .sort()
  return { listed: described(listed), living: described(living) }
}
