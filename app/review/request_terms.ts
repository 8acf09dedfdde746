import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import type { ZoneProperties } from '#changes/model/zone_properties'
import type { RequestZone, ZoneTerms } from '#changes/model/change_request'
import type { GivenRecord, StoredLink, WantedLink } from '#changes/model/template_link'
import { templateLinkOf } from '#changes/transaction/template_links'
import type { ZoneWrite } from '#changes/transaction/zone_transaction'
import { ensureZoneRow } from '#changes/zone_index/zone_rows'
import type { Metadata } from '#dns/metadata/metadata'
import { conflict } from '#exceptions/refusal'

/**
 * Goes on only where the link to a template that a request writes can be written as it was filed. Throws a 409
 * `Refusal` that says how to go on: the template is gone, or the zone's link is another one by now.
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
      `The zone template that the change request links '${name}' to is not there any more; rebase the request, which leaves the link out, or cancel it`
    )
  }
  const now = await templateLinkOf(client, uid)
  if (template.from !== undefined && JSON.stringify(template.from) !== JSON.stringify(now)) {
    throw conflict(
      `The link of '${name}' to its zone template was changed since the change request was filed; rebase the request to base it on the link of now, or cancel it`
    )
  }
}

/**
 * What a request wishes of a zone as a whole, based on what is there now. A link is left out where its template is gone, and
 * where the zone came from it and was parted from it meanwhile: such a zone stays as it is.
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
  const { templateId, from, given } = wanted
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
    given: mergedGiven(was?.given ?? [], given, same.given),
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

/** What the zone has from its template now, but for the RRsets that the request gives anew. */
function mergedGiven(was: GivenRecord[], wished: GivenRecord[], now: GivenRecord[]): GivenRecord[] {
  const [wasSets, wishedSets] = [bySet(was), bySet(wished)]
  const keys = new Set([...wasSets.keys(), ...wishedSets.keys()])
  const touched = new Set(
    [...keys].filter(
      (key) => JSON.stringify(wasSets.get(key)) !== JSON.stringify(wishedSets.get(key))
    )
  )
  const kept = now.filter((one) => !touched.has(setKey(one)))
  return [...kept, ...[...touched].flatMap((key) => wishedSets.get(key) ?? [])]
}

function bySet(given: GivenRecord[]): Map<string, GivenRecord[]> {
  const sets = new Map<string, GivenRecord[]>()
  for (const one of given) {
    sets.set(setKey(one), [...(sets.get(setKey(one)) ?? []), one])
  }
  return sets
}

function setKey({ name, type }: GivenRecord): string {
  return `${name} ${type}`
}

/** Of the properties that must still be what they were, what they are. */
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
