import type { Actor } from '#access/actor'
import type { AuditArea } from '#access/rules/audit_rules'
import { authorize } from '#access/authorize'
import { canView } from '#access/demand'
import { loadZoneFacts } from '#access/ownership'
import { AUDIT_ACTIONS, type AuditAction } from '#audit/actions'
import { visibleDetail } from '#audit/visible_detail'
import type { DnsBackend } from '#backends/contract/backend'
import { findTrashedZone } from '#changes/journal/trash'
import { membersOf, type PublishedEvent } from '#events/event'
import { seesTrashed } from '#zones/lifecycle/trash_list'

/** How much an actor may see of an event: nothing, the event, also its actor, or all members. */
type DetailLevel = 'none' | 'event' | 'actor' | 'all'

/** An event for a reader. Without the right to read the log it has no object and no detail. */
export type VisibleEvent = Pick<
  PublishedEvent,
  'id' | 'type' | 'time' | 'zone_id' | 'zone_name' | 'entry'
> & { actor: PublishedEvent['actor'] | null } & Partial<Pick<PublishedEvent, 'object' | 'detail'>>

/** The event without its action, for readers with the right to read the whole log. */
export function withoutAction({ action: _action, ...event }: PublishedEvent): VisibleEvent {
  return event
}

/** An event without its object and detail. */
export function outlineOf({
  object: _object,
  detail: _detail,
  ...outline
}: VisibleEvent): VisibleEvent {
  return outline
}

/** An event for open pages: its outline, and the id of its group or user if the actor may see it. */
export function pageEventOf(
  event: VisibleEvent
): VisibleEvent & { group_id?: number; user_id?: number } {
  const { object, detail } = event
  const group = object?.kind === 'group' ? object.id : membersOf(detail).group_id
  return {
    ...outlineOf(event),
    ...(typeof group === 'number' ? { group_id: group } : {}),
    ...(object?.kind === 'user' && object.id !== null ? { user_id: object.id } : {}),
  }
}

/** Decides what an actor may see of events, by current rights. */
export class EventVisibility {
  constructor(private readonly backend: Pick<DnsBackend, 'findZone'>) {}

  /** The visible events, with the members that the actor may see. */
  async visibleEvents(actor: Actor, events: PublishedEvent[]): Promise<VisibleEvent[]> {
    const canViewZones = authorize(actor, { action: 'audit.view', area: 'zones' }).allowed
    const levelsByObject = new Map<string, Promise<DetailLevel>>()
    const visibleEvents: VisibleEvent[] = []
    for (const event of events) {
      const name = `${event.zone_id} ${event.zone_name} ${areaOf(event)}`
      const level = levelsByObject.get(name) ?? this.#levelOf(actor, event)
      levelsByObject.set(name, level)
      const visibleEvent = withVisibleMembers(event, await level, canViewZones)
      if (visibleEvent) visibleEvents.push(visibleEvent)
    }
    return visibleEvents
  }

  async #levelOf(actor: Actor, event: PublishedEvent): Promise<DetailLevel> {
    if (authorize(actor, { action: 'audit.view', area: areaOf(event) }).allowed) {
      return 'all'
    }
    const { zone_id: id, zone_name: name } = event
    return id === null ? 'none' : this.#zoneEventLevel(actor, id, name)
  }

  async #zoneEventLevel(actor: Actor, id: number, name: string | null): Promise<DetailLevel> {
    const zone = await this.backend.findZone(id)
    if (!zone) {
      const trashedEntry = await findTrashedZone(id)
      const isVisible = trashedEntry?.zoneName === name && (await seesTrashed(actor, trashedEntry))
      return isVisible ? 'actor' : 'none'
    }
    // The id may belong to another zone now, whose rights do not apply.
    if (zone.name !== name) {
      return 'none'
    }
    const facts = await loadZoneFacts(zone)
    const keyRequest = { action: 'key.reach' as const, zoneId: id, zoneName: zone.name }
    if (!authorize(actor, keyRequest).allowed || !canView(actor, facts)) {
      return 'none'
    }
    const mayReadHistory = authorize(actor, { action: 'zone.view_history', zone: facts }).allowed
    return mayReadHistory ? 'actor' : 'event'
  }
}

/** The area of an event. Undeclared actions are for administrators. */
function areaOf({ action }: PublishedEvent): AuditArea {
  return Object.hasOwn(AUDIT_ACTIONS, action) ? AUDIT_ACTIONS[action as AuditAction].area : 'system'
}

function withVisibleMembers(
  event: PublishedEvent,
  level: DetailLevel,
  canViewZones: boolean
): VisibleEvent | null {
  if (level === 'none') {
    return null
  }
  if (level === 'all') {
    return { ...withoutAction(event), detail: visibleDetail(event.detail, canViewZones) }
  }
  return outlineOf({ ...withoutAction(event), actor: level === 'actor' ? event.actor : null })
}
