import type { AuditAction } from '#audit/actions'
import type { AuditEvent, AuditObject } from '#audit/event'
import { ownerEvents } from '#audit/owner_events'
import type { AppliedZone } from '#changes/model/zone_plan'
import type { ZoneChangeSet } from '#changes/model/change_set'

/** Audit events of a written zone: the zone, and the journal entry with the details. */
export function changeEvents(change: ZoneChangeSet, applied: AppliedZone): AuditEvent[] {
  const { zone, entry } = applied
  const object: AuditObject = { kind: 'zone', id: zone.id, name: zone.name }
  const detail = { entry, properties: isPropertiesOnly(change, applied) || undefined }
  const written: AuditEvent = { action: actionOf(change), object, detail }
  if (change.op !== 'create') {
    return [written]
  }
  return [written, ...ownerEvents('zone.owner_added', zone, change.owners)]
}

/** Whether it changed properties, and no records except for the serial. */
function isPropertiesOnly(change: ZoneChangeSet, { changes }: AppliedZone): boolean {
  return (
    change.op === 'edit' &&
    change.properties !== undefined &&
    changes.every(({ type }) => type === 'SOA')
  )
}

function actionOf(change: ZoneChangeSet): AuditAction {
  if (change.op === 'create') {
    return change.restored ? 'zone.restored' : 'zone.created'
  }
  return change.op === 'delete' ? 'zone.deleted' : 'zone.changed'
}
