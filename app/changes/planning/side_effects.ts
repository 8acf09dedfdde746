import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { AuditActor } from '#audit/event'
import { changeNotes, notesAt } from '#changes/comments/comment_store'
import {
  templateLinkOf,
  writeTemplateLink,
  type WantedLink,
} from '#changes/planning/template_links'
import type { ZoneRow } from '#changes/zone_index/zone_rows'
import type { BackendZone } from '#backends/contract/backend'
import { holdRow } from '#database/rows/row_lock'
import { sameNote, type NotedSet } from '#dns/record_comments'

/** What own tables get beside the records of a zone, as a change says it. JSON: it is kept with writes that can be cut off. */
export interface ZoneSideEffects {
  /** The template that the zone came from, where the change says so. */
  template: WantedLink | null
  /** What changes of what is written about records. */
  notes: NotedSet[]
}

/** Whether there is anything to keep. */
export function isBeside({ template, notes }: ZoneSideEffects): boolean {
  return template !== null || notes.length > 0
}

/** Keeps it, in the transaction that writes the records. Throws as `writeTemplateLink`. */
export async function keepBeside(
  trx: TransactionClientContract,
  actor: AuditActor,
  zone: BackendZone,
  row: ZoneRow,
  { template, notes }: ZoneSideEffects
): Promise<void> {
  if (template) {
    await writeTemplateLink(trx, actor, row, template)
  }
  await changeNotes(trx, zone, notes)
}

/**
 * What of it can still be kept for a write that was cut off: its records are there, so that nothing can be refused any more. A
 * link to a template that is gone by now, or in place of one that somebody else wrote since, is left out, and so is what is
 * written about a record where somebody else wrote since.
 */
export async function keptLate(
  trx: TransactionClientContract,
  zone: BackendZone,
  row: ZoneRow,
  { template, notes }: ZoneSideEffects
): Promise<ZoneSideEffects> {
  const isLinked = template !== null && (await canBeLinked(trx, row, template))
  const names = notes.map(({ name }) => name)
  const kept = await notesAt(zone, names, trx)
  const still = notes.map((set) => ({
    ...set,
    notes: set.notes.filter((note) => sameNote(kept.on(set, note), note.before)),
  }))
  return {
    template: isLinked ? template : null,
    notes: still.filter((set) => set.notes.length > 0),
  }
}

async function canBeLinked(
  trx: TransactionClientContract,
  { uid }: ZoneRow,
  { templateId, from }: WantedLink
): Promise<boolean> {
  await holdRow(trx, 'zw_zone_templates', templateId)
  const template: unknown = await trx.from('zw_zone_templates').where('id', templateId).first()
  const known = await templateLinkOf(trx, uid)
  const isAsSeen = from === undefined || JSON.stringify(from) === JSON.stringify(known)
  return Boolean(template) && isAsSeen
}
