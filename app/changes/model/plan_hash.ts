import { createHash } from 'node:crypto'
import { mapYielding } from '#database/event_loop'
import type { ZonePlan } from '#changes/model/zone_plan'
import type { CommentChange, CommentText, RRset, RRsetKey } from '#dns/types'

/** One part of a plan with its digest: an RRset, or the zone itself (type ''). */
export interface PlanPart extends RRsetKey {
  zone: string
  digest: string
  /** Digest of the state before the change; absent for the zone itself. */
  before?: string
}

/** The parts of a plan: one for each RRset that changes, and one for changed properties. */
export async function planParts(zones: ZonePlan[]): Promise<PlanPart[]> {
  const parts: PlanPart[] = []
  for (const plan of zones) {
    const zone = plan.zoneName
    const rrsets = await mapYielding(plan.changes, ({ name, type, before, after, comments }) => ({
      zone,
      name,
      type,
      digest: digestOf([
        comparableState(before),
        comparableState(after),
        ...commentDigests(comments),
      ]),
      before: stateDigest(before),
    }))
    const zonePart = {
      zone,
      name: zone,
      type: '',
      digest: digestOf([plan.zoneId, plan.properties]),
    }
    if (plan.properties) parts.push(zonePart)
    for (const part of rrsets) parts.push(part)
  }
  return parts
}

/**
 * Hash of a plan: `sha256:` and 64 hex digits. It covers the RRsets before and after; serials and
 * the order of actions do not count.
 */
export function planHash(parts: PlanPart[]): string {
  const lines = parts.map(({ zone, name, type, digest }) => [zone, name, type, digest].join(' '))
  return `sha256:${digestOf(lines.sort())}`
}

/** Digest of an RRset; of null if it does not exist. */
export function stateDigest(set: RRset | null): string {
  return digestOf(comparableState(set))
}

function comparableState(set: RRset | null): unknown {
  return (
    set && [
      set.ttl,
      set.records
        .map(({ content, priority, disabled }) => JSON.stringify([priority, disabled, content]))
        .sort(),
    ]
  )
}

function commentDigests(comments: CommentChange[] = []): string[] {
  return comments
    .map(({ content, priority, before, after }) =>
      JSON.stringify([priority, content, comparableComment(before), comparableComment(after)])
    )
    .sort()
}

function comparableComment(comment: CommentText | null): unknown {
  return comment && [comment.above, comment.inline]
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
