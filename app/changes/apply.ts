import { RuntimeException } from '@adonisjs/core/exceptions'
import type { BackendZone, DnsBackend } from '#backends/contract'
import { ZoneExists } from '#backends/errors'
import type { AppliedZone, ChangeContext } from '#changes/change_context'
import type { ChangeSet, ZoneChangeSet } from '#changes/change_set'
import { applyCreate } from '#changes/apply_create'
import { applyDelete } from '#changes/apply_delete'
import { applyEdit } from '#changes/apply_edit'
import { conflict, notFound } from '#exceptions/refusal'

/**
 * Applies a change set: locks its zones, plans against what it then reads, writes rows, serial and
 * journal, and commits all of it or nothing. Throws a `Refusal` or `InvalidDns` when the plan does not
 * hold; nothing is changed then.
 */
export async function applyChangeSet(
  backend: DnsBackend,
  set: ChangeSet
): Promise<{ zones: AppliedZone[] }> {
  try {
    return await backend.write(async (session) => {
      const trx = session.transaction
      if (!trx) {
        throw new RuntimeException(
          `Backend '${backend.name}' shares no transaction with the journal; changes cannot be applied`
        )
      }
      const ids = set.zones.flatMap((change) => (change.op === 'create' ? [] : [change.zoneId]))
      const locked = await session.lockZones(ids)
      const zones: AppliedZone[] = []
      for (const change of set.zones) {
        zones.push(await applyToZone({ set, session, trx }, change, locked))
      }
      return { zones }
    })
  } catch (error) {
    throw error instanceof ZoneExists ? conflict('Domain already exists') : error
  }
}

async function applyToZone(
  context: ChangeContext,
  change: ZoneChangeSet,
  locked: Map<number, BackendZone>
): Promise<AppliedZone> {
  if (change.op === 'create') {
    return applyCreate(context, change)
  }
  const zone = locked.get(change.zoneId)
  if (!zone) {
    throw notFound('Zone not found')
  }
  return change.op === 'delete' ? applyDelete(context, zone) : applyEdit(context, zone, change)
}
