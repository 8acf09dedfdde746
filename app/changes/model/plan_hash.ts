import { createHash } from 'node:crypto'
import { mapYielding } from '#database/event_loop'
import type { ZonePlan } from '#changes/model/zone_plan'
import type { NoteChange, RecordNote, RRset, RRsetKey } from '#dns/types'

/** One part of a plan, and a digest of what is planned there: an RRset, or the zone itself (type ''). */
export interface PlanPart extends RRsetKey {
  zone: string
  digest: string
  /** Digest of the state that it was planned from; absent for the zone itself. */
  before?: string
}

/** The parts of a plan: one for each RRset that changes, and one for properties where they change. */
export async function planParts(zones: ZonePlan[]): Promise<PlanPart[]> {
  const parts: PlanPart[] = []
  for (const plan of zones) {
    const zone = plan.zoneName
    const rrsets = await mapYielding(plan.changes, ({ name, type, before, after, notes }) => ({
      zone,
      name,
      type,
      digest: digestOf([stateOf(before), stateOf(after), ...notesIn(notes)]),
      before: stateDigest(before),
    }))
    const own = { zone, name: zone, type: '', digest: digestOf([plan.zoneId, plan.properties]) }
    if (plan.properties) parts.push(own)
    for (const part of rrsets) parts.push(part)
  }
  return parts
}

/**
 * Hash of a plan: the same for the same RRsets before and after, whatever the serials are and in whatever
 * order they were asked for. `sha256:` and 64 hex digits.
 */
export function planHash(parts: PlanPart[]): string {
  const lines = parts.map(({ zone, name, type, digest }) => [zone, name, type, digest].join(' '))
  return `sha256:${digestOf(lines.sort())}`
}

/** Digest of an RRset, of null where it is not there. */
export function stateDigest(set: RRset | null): string {
  return digestOf(stateOf(set))
}

function stateOf(set: RRset | null): unknown {
  return (
    set && [
      set.ttl,
      set.records
        .map(({ content, priority, disabled }) => JSON.stringify([priority, disabled, content]))
        .sort(),
    ]
  )
}

function notesIn(notes: NoteChange[] = []): string[] {
  return notes
    .map(({ content, priority, before, after }) =>
      JSON.stringify([priority, content, noteOf(before), noteOf(after)])
    )
    .sort()
}

function noteOf(note: RecordNote | null): unknown {
  return note && [note.above, note.beside]
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
