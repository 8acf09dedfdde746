import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import type { ZoneProperties } from '#changes/model/zone_properties'
import type { RequestZone, ZoneParts } from '#changes/model/change_request'
import type { LinkedRecord, StoredLink, RequestedLink } from '#changes/model/template_link'
import { findTemplateLink } from '#changes/transaction/template_links'
import type { ZoneWrite } from '#changes/transaction/zone_transaction'
import { ensureZoneRow } from '#changes/zone_index/zone_rows'
import type { Metadata } from '#dns/metadata/metadata'
import { conflict } from '#exceptions/refusal'

/**
 * Requires that the template link of a request can be stored as filed. Throws a 409 `Refusal` if
 * the template is deleted, or if the link of the zone has changed.
 */
export async function requireLinkAsFiled(
  client: QueryClientContract,
  { uid, name, terms: { template } }: RequestZone
): Promise<void> {
  if (!template) {
    return
  }
  if (!(await hasTemplate(client, template))) {
    throw conflict(
      `The zone template that the change request links '${name}' to no longer exists; update the request to remove the link, or withdraw it`
    )
  }
  const currentLink = await findTemplateLink(client, uid)
  if (
    template.from !== undefined &&
    JSON.stringify(template.from) !== JSON.stringify(currentLink)
  ) {
    throw conflict(
      `The link of '${name}' to its zone template was changed since the change request was submitted or updated; update the request to use the current link, or withdraw it`
    )
  }
}

/**
 * The parts of a request about the zone as a whole, with the current state as baseline. A link is
 * removed if its template is deleted, or if the zone was unlinked from it meanwhile.
 */
export async function rebaseTerms(
  write: ZoneWrite,
  zone: BackendZone,
  { uid, terms }: RequestZone
): Promise<ZoneParts> {
  const { template, propertiesFrom, ...otherTerms } = terms
  const link = template && (await rebaseLink(write.trx, uid, template))
  const from = propertiesFrom && (await readCurrentProperties(write, zone, propertiesFrom))
  return {
    ...otherTerms,
    ...(from ? { propertiesFrom: from } : {}),
    ...(link ? { template: link } : {}),
  }
}

async function rebaseLink(
  client: QueryClientContract,
  uid: string,
  requestedLink: RequestedLink
): Promise<RequestedLink | null> {
  const { templateId, from, templateRecords: records } = requestedLink
  if (!(await hasTemplate(client, requestedLink))) {
    return null
  }
  const currentLink = await findTemplateLink(client, uid)
  const oldLink = linkOfTemplate(from ?? null, templateId)
  const unchangedLink = linkOfTemplate(currentLink, templateId)
  if (oldLink && !unchangedLink) {
    return null
  }
  const linked = unchangedLink && {
    linkedAt: unchangedLink.linkedAt,
    templateRecords: mergedRecords(
      oldLink?.templateRecords ?? [],
      records,
      unchangedLink.templateRecords
    ),
  }
  return { ...requestedLink, ...linked, from: currentLink }
}

function linkOfTemplate(link: StoredLink | null, templateId: number): StoredLink | null {
  return link?.templateId === templateId ? link : null
}

async function hasTemplate(
  client: QueryClientContract,
  { templateId }: Pick<RequestedLink, 'templateId'>
): Promise<boolean> {
  const row: unknown = await client.from('zw_zone_templates').where('id', templateId).first()
  return Boolean(row)
}

/** The current records from the template, except in RRsets that the request changes. */
function mergedRecords(
  oldRecords: LinkedRecord[],
  requestedRecords: LinkedRecord[],
  currentRecords: LinkedRecord[]
): LinkedRecord[] {
  const [oldSets, requestedSets] = [groupBySet(oldRecords), groupBySet(requestedRecords)]
  const keys = new Set([...oldSets.keys(), ...requestedSets.keys()])
  const changedSets = new Set(
    [...keys].filter(
      (key) => JSON.stringify(oldSets.get(key)) !== JSON.stringify(requestedSets.get(key))
    )
  )
  const unchanged = currentRecords.filter((one) => !changedSets.has(setKey(one)))
  return [...unchanged, ...[...changedSets].flatMap((key) => requestedSets.get(key) ?? [])]
}

function groupBySet(records: LinkedRecord[]): Map<string, LinkedRecord[]> {
  const sets = new Map<string, LinkedRecord[]>()
  for (const one of records) {
    sets.set(setKey(one), [...(sets.get(setKey(one)) ?? []), one])
  }
  return sets
}

function setKey({ name, type }: LinkedRecord): string {
  return `${name} ${type}`
}

/** The current values of the properties that are required. */
async function readCurrentProperties(
  { session, trx, countChange }: ZoneWrite,
  zone: BackendZone,
  { metadata: kinds, ...wanted }: ZoneProperties
): Promise<ZoneProperties> {
  const { description } = await ensureZoneRow(trx, zone, countChange)
  const stored: ZoneProperties = {
    name: zone.name,
    kind: zone.kind,
    masters: zone.masters,
    account: zone.account,
    description,
  }
  const names = Object.keys(wanted) as (keyof typeof wanted)[]
  const currentValues = Object.fromEntries(
    names.map((name) => [name, stored[name]])
  ) as ZoneProperties
  if (kinds) {
    const metadata = await session.metadataOf(zone)
    const values = Object.keys(kinds).map((kind) => [kind, metadata[kind] ?? []])
    currentValues.metadata = Object.fromEntries(values) as Metadata
  }
  return currentValues
}
