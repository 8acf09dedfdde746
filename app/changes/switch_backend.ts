import db from '@adonisjs/lucid/services/db'
import { assignZones, backendOfZones } from '#backends/installed_backend'
import type { DnsBackend } from '#backends/contract/backend'
import { inTransaction } from '#database/transaction'
import { conflict } from '#exceptions/refusal'
import { synchroniseZones } from '#changes/recovery/sync_server'

/**
 * Assigns the zone rows to a backend. If they belong to another one, throws a 409; `isSwitch`
 * assigns them anew. A backend with ids from the zone rows then finds each zone by name, with
 * owners, keys and history.
 *
 * @param name of the backend in the setting `dns.backend`
 * @returns the former backend after a switch, else null
 */
export async function assignZonesToBackend(
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
      `The zones in this database belong to the backend "${former}", but dns.backend is "${name}": restore this setting, use another database, or see --switch-backend`
    )
  }
  if (!backend.sync) {
    throw conflict(
      `The zones in this database have ids that the backend "${name}" does not know: it needs its own database (docs/reference/backends.md)`
    )
  }
  await inTransaction(client, async (trx) => {
    // They contain record ids of the former backend.
    for (const table of ['zw_record_snapshots', 'zw_zone_snapshots', 'zw_record_keys']) {
      await trx.from(table).delete()
    }
    await assignZones(trx, name)
  })
  // Zone content is read later, in steps: the command does not wait for the server.
  await synchroniseZones(backend, { maxZones: 0 })
  return former
}
