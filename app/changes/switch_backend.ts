import db from '@adonisjs/lucid/services/db'
import { assignZones, backendOfZones } from '#backends/installed_backend'
import type { DnsBackend } from '#backends/contract/backend'
import { inTransaction } from '#database/transaction'
import { conflict } from '#exceptions/refusal'
import { synchroniseZones } from '#changes/recovery/sync_server'

/**
 * Lets the zones in the own tables belong to a backend. Where they belong to another one, that is refused (409), or with
 * `isSwitch` they go over: a backend whose zones get their ids from the own tables finds each by its name, with owners, keys
 * and history. Answers the former backend then, else null.
 *
 * @param name of the backend in the setting `dns.backend`
 */
export async function chooseBackend(
  backend: DnsBackend,
  name: string,
  isSwitch: boolean
): Promise<string | null> {
  const client = db.connection()
  const former = await backendOfZones(client)
  if (former === null || former === name) {
    await assignZones(client, name)
    return null
  }
  if (!isSwitch) {
    throw conflict(
      `The zones in this database belong to the backend "${former}", and dns.backend is "${name}": set it back, use another database, or see --switch-backend`
    )
  }
  if (!backend.sync) {
    throw conflict(
      `The zones in this database have ids that the backend "${name}" does not know: it needs a database of its own (docs/backends.md)`
    )
  }
  await inTransaction(client, async (trx) => {
    // They know records by ids that are now those of other rows.
    for (const table of ['zw_record_snapshots', 'zw_zone_snapshots', 'zw_record_keys']) {
      await trx.from(table).delete()
    }
    await assignZones(trx, name)
  })
  // Their records are read by and by: until then nothing waits for the server.
  await synchroniseZones(backend, { most: 0 })
  return former
}
