import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { momentNow } from '#changes/clock'
import { refersToNothing } from '#database/conflicts'
import { relativeName } from '#dns/names'
import type { RRset } from '#dns/types'
import { notFound } from '#exceptions/refusal'

/** A record that a zone has from its template. */
export interface GivenRecord {
  /** Relative to the apex, `@` there: it goes along when the zone gets another name. */
  name: string
  type: string
  /** Seconds. */
  ttl: number
  /** Canonical. */
  content: string
  priority: number
}

/** That a zone came from a template, and what it has from it. */
export interface TemplateLink {
  templateId: number
  /** Moment when the zone was made from the template, or linked to it. */
  linkedAt: string
  given: GivenRecord[]
}

/** Records of RRsets, as a link has them. */
export function givenRecords(apex: string, rrsets: RRset[]): GivenRecord[] {
  return rrsets.flatMap(({ name, type, ttl, records }) =>
    records.map(({ content, priority }) => {
      return { name: relativeName(name, apex), type, ttl, content, priority }
    })
  )
}

/**
 * Notes what a zone has from its template, in the transaction that writes it, in place of what was noted before.
 * Throws a 404 `Refusal` where the template is gone.
 *
 * @param zoneUid the zone's identity in the journal: links outlive deletion and restoring
 */
export async function writeTemplateLink(
  trx: TransactionClientContract,
  zoneUid: string,
  { templateId, linkedAt, given }: TemplateLink
): Promise<void> {
  await removeTemplateLink(trx, zoneUid)
  try {
    await trx.table('zw_zone_template_links').insert({
      zone_uid: zoneUid,
      template_id: templateId,
      linked_at: linkedAt,
      synced_at: momentNow(),
      given: JSON.stringify(given),
    })
  } catch (error) {
    // Somebody deleted it after it was read.
    throw refersToNothing(error) ? notFound('Zone template not found') : error
  }
}

/** Parts a zone from its template. Answers whether it had one. */
export async function removeTemplateLink(
  client: QueryClientContract,
  zoneUid: string
): Promise<boolean> {
  const removed: unknown = await client
    .from('zw_zone_template_links')
    .where('zone_uid', zoneUid)
    .delete()
  return Number(removed) > 0
}
