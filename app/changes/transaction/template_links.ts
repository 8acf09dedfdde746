import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { AuditActor, AuditEvent } from '#audit/event'
import { record } from '#audit/record'
import { StateChanged } from '#changes/model/action_error'
import { timestampNow } from '#changes/model/clock'
import type { LinkedRecord, StoredLink, RequestedLink } from '#changes/model/template_link'
import { refersToNothing } from '#database/conflicts'
import { relativeName } from '#dns/names'
import type { RRset } from '#dns/types'
import { notFound } from '#exceptions/refusal'

interface LinkRow {
  template_id: number
  linked_at: string
  synced_at: string
  given: string
}

/** The template link of a zone by its uid; null without one. */
export async function findTemplateLink(
  client: QueryClientContract,
  zoneUid: string
): Promise<StoredLink | null> {
  const row: LinkRow | null = await client
    .from('zw_zone_template_links')
    .where('zone_uid', zoneUid)
    .first()
  return (
    row && {
      templateId: row.template_id,
      linkedAt: row.linked_at,
      syncedAt: row.synced_at,
      templateRecords: JSON.parse(row.given) as LinkedRecord[],
    }
  )
}

/** Records of RRsets in the form of a link. */
export function linkedRecords(apex: string, rrsets: RRset[]): LinkedRecord[] {
  return rrsets.flatMap(({ name, type, ttl, records }) =>
    records.map(({ content, priority }) => {
      return { name: relativeName(name, apex), type, ttl, content, priority }
    })
  )
}

/** The RRsets of a link, in a zone of this name. */
export function linkedRRsets(apex: string, records: LinkedRecord[]): RRset[] {
  const sets = new Map<string, RRset>()
  for (const { name: relative, type, ttl, content, priority } of records) {
    const name = relative === '@' ? apex : `${relative}.${apex}`
    const set = sets.get(`${name} ${type}`) ?? { name, type, ttl, records: [] }
    set.records.push({ content, priority, disabled: false })
    sets.set(`${name} ${type}`, set)
  }
  return [...sets.values()]
}

/**
 * Replaces the template link of a zone, in the transaction of the write. A new link is an audit
 * event.
 *
 * @param zone `uid` identifies it in the journal; links outlive its deletion and restore
 * @throws 404 `Refusal` for a missing template, `StateChanged` if the stored link is not `from`
 */
export async function writeTemplateLink(
  trx: TransactionClientContract,
  actor: AuditActor,
  zone: { id: number; name: string; uid: string },
  { templateId, linkedAt, templateRecords: records, from }: RequestedLink
): Promise<void> {
  const before = await findTemplateLink(trx, zone.uid)
  if (from !== undefined && JSON.stringify(from) !== JSON.stringify(before)) {
    throw new StateChanged('properties')
  }
  await removeTemplateLink(trx, zone.uid)
  try {
    await trx.table('zw_zone_template_links').insert({
      zone_uid: zone.uid,
      template_id: templateId,
      linked_at: linkedAt,
      synced_at: timestampNow(),
      given: JSON.stringify(records),
    })
  } catch (error) {
    // Another transaction deleted it after the read.
    throw refersToNothing(error) ? notFound('Zone template not found') : error
  }
  if (before?.templateId !== templateId) {
    await record(trx, actor, linkEvent('zone.template_linked', zone, templateId))
  }
}

/** Deletes the template link of a zone. */
export async function removeTemplateLink(
  client: QueryClientContract,
  zoneUid: string
): Promise<void> {
  await client.from('zw_zone_template_links').where('zone_uid', zoneUid).delete()
}

/** Audit event of a zone that was linked to a template or unlinked. */
export function linkEvent(
  action: 'zone.template_linked' | 'zone.template_unlinked',
  { id, name }: { id: number; name: string },
  templateId: number
): AuditEvent {
  return { action, object: { kind: 'zone', id, name }, detail: { template_id: templateId } }
}
