import type { AuditAction } from '#audit/actions'
import type { AuditEvent, Detail } from '#audit/event'
import type { StoredTemplateRecord, ZoneTemplate } from '#zones/templates/zone_templates'

/** Audit event of a zone template. */
export function zoneTemplateEvent(
  action: Extract<AuditAction, `zone_template.${string}`>,
  { id, name }: Pick<ZoneTemplate, 'id' | 'name'>,
  detail: Detail = {}
): AuditEvent {
  return { action, object: { kind: 'zone_template', id, name }, detail }
}

/** Audit event with the changed members; empty without a change. */
export function zoneTemplateUpdated(before: ZoneTemplate, after: ZoneTemplate): AuditEvent[] {
  const [old, now] = [membersOf(before), membersOf(after)]
  const changed = (Object.keys(now) as (keyof typeof now)[]).filter((key) => old[key] !== now[key])
  const only = (members: typeof now) =>
    Object.fromEntries(changed.map((key) => [key, members[key]]))
  return changed.length > 0
    ? [zoneTemplateEvent('zone_template.updated', after, { before: only(old), after: only(now) })]
    : []
}

/** A record as audit detail. */
export function recordDetail({ id, name, type, content, ttl, priority }: StoredTemplateRecord) {
  return { id, name, type, content, ttl, priority }
}

function membersOf({ name, description, ownerId, isGlobal }: ZoneTemplate) {
  return { name, description, owner: ownerId, is_global: isGlobal }
}
