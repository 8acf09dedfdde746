import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import type { ZoneProperties } from '#changes/model/zone_properties'
import type { RequestZone, ZoneTerms } from '#changes/model/change_request'
import type { LinkedRecord, StoredLink, WantedLink } from '#changes/model/template_link'
import { templateLinkOf } from '#changes/transaction/template_links'
import type { ZoneWrite } from '#changes/transaction/zone_transaction'
import { ensureZoneRow } from '#changes/zone_index/zone_rows'
import type { Metadata } from '#dns/metadata/metadata'
import { conflict } from '#exceptions/refusal'

/**
 * Requires that the template link of a request can be stored as filed. Throws a 409 `Refusal` if
 * the template is deleted, or if the link of the zone has changed.
 */
export async function demandLinkAsFiled(
  client: QueryClientContract,
  { uid, name, terms: { template } }: RequestZone
): Promise<void> {
  if (!template) {
    return
  }
  if (!(await isThere(client, template))) {
    throw conflict(
      `The zone template that the change request links '${name}' to no longer exists; update the request to remove the link, or withdraw it`
    )
  }
  const now = await templateLinkOf(client, uid)
  if (template.from !== undefined && JSON.stringify(template.from) !== JSON.stringify(now)) {
    throw conflict(
      `The link of '${name}' to its zone template was changed since the change request was submitted or updated; update the request to use the current link, or withdraw it`
    )
  }
}

/**
 * The parts of a request about the zone as a whole, with the current state as baseline. A link is
 * removed if its template is deleted, or if the zone was unlinked from it meanwhile.
 */
export async function termsNow(
  write: ZoneWrite,
  zone: BackendZone,
  { uid, terms }: RequestZone
): Promise<ZoneTerms> {
  const { template, propertiesFrom, ...others } = terms
  const link = template && (await linkNow(write.trx, uid, template))
  const from = propertiesFrom && (await propertiesNow(write, zone, propertiesFrom))
  return {
    ...others,
    ...(from ? { propertiesFrom: from } : {}),
    ...(link ? { template: link } : {}),
  }
}

async function linkNow(
  client: QueryClientContract,
  uid: string,
  wanted: WantedLink
): Promise<WantedLink | null> {
  const { templateId, from, given: records } = wanted
  if (!(await isThere(client, wanted))) {
    return null
  }
  const now = await templateLinkOf(client, uid)
  const was = comesFrom(from ?? null, templateId)
  const same = comesFrom(now, templateId)
  if (was && !same) {
    return null
  }
  const linked = same && {
    linkedAt: same.linkedAt,
    given: mergedRecords(was?.given ?? [], records, same.given),
  }
  return { ...wanted, ...linked, from: now }
}

function comesFrom(link: StoredLink | null, templateId: number): StoredLink | null {
  return link?.templateId === templateId ? link : null
}

async function isThere(
  client: QueryClientContract,
  { templateId }: Pick<WantedLink, 'templateId'>
): Promise<boolean> {
  const row: unknown = await client.from('zw_zone_templates').where('id', templateId).first()
  return Boolean(row)
}

/** The current records from the template, except in RRsets that the request changes. */
function mergedRecords(
  was: LinkedRecord[],
  requested: LinkedRecord[],
  now: LinkedRecord[]
): LinkedRecord[] {
  const [wasSets, requestedSets] = [bySet(was), bySet(requested)]
  const keys = new Set([...wasSets.keys(), ...requestedSets.keys()])
  const touched = new Set(
    [...keys].filter(
      (key) => JSON.stringify(wasSets.get(key)) !== JSON.stringify(requestedSets.get(key))
    )
  )
  const unchanged = now.filter((one) => !touched.has(setKey(one)))
  return [...unchanged, ...[...touched].flatMap((key) => requestedSets.get(key) ?? [])]
}

function bySet(records: LinkedRecord[]): Map<string, LinkedRecord[]> {
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
async function propertiesNow(
  { session, trx, tally }: ZoneWrite,
  zone: BackendZone,
  { metadata: kinds, ...wanted }: ZoneProperties
): Promise<ZoneProperties> {
  const { description } = await ensureZoneRow(trx, zone, tally)
  const stored: ZoneProperties = {
    name: zone.name,
    kind: zone.kind,
    masters: zone.masters,
    account: zone.account,
    description,
  }
  const names = Object.keys(wanted) as (keyof typeof wanted)[]
  const now = Object.fromEntries(names.map((name) => [name, stored[name]])) as ZoneProperties
  if (kinds) {
    const metadata = await session.metadataOf(zone)
    const values = Object.keys(kinds).map((kind) => [kind, metadata[kind] ?? []])
    now.metadata = Object.fromEntries(values) as Metadata
  }
  return now
}
