import { timestampNow } from '#changes/model/clock'
import { InvalidDns } from '#dns/errors'
import { zoneName } from '#dns/names'
import { PLACEHOLDERS } from '#dns/templates/placeholders'
import { writeZoneFile } from '#dns/zonefile/index'
import { Refusal } from '#exceptions/refusal'
import { expandTemplate, valuesAt } from '#zones/templates/expansion'
import type { ZoneTemplateDetail } from '#zones/templates/zone_templates'

/** Default zone of examples. */
const EXAMPLE_ZONE = 'example.com'

/** The records of a template for a zone, and the values of its placeholders. */
export interface Expansion {
  /** The record as typed. */
  typed: string
  zone: string
  placeholders: { name: string; value: string }[]
  /** Lines of a zone file; null where the template does not fit the zone. */
  text: string | null
  problem: string | null
}

/** Expands a template for a typed zone name. An invalid name is its `problem`; never throws for it. */
export function expansionOf(template: ZoneTemplateDetail, typed: string): Expansion {
  let zone = EXAMPLE_ZONE
  let text: string | null = null
  let problem: string | null = null
  try {
    if (typed.trim() !== '') zone = zoneName(typed.trim())
    const { rrsets } = expandTemplate(zone, template.records, timestampNow())
    text = [...writeZoneFile({ apex: zone, rrsets })].join('')
  } catch (error) {
    if (!(error instanceof InvalidDns || error instanceof Refusal)) throw error
    problem = error.message
  }
  const values = valuesAt(zone, new Date())
  const placeholders = PLACEHOLDERS.map((name) => ({ name, value: values[name] }))
  return { typed, zone, placeholders, text, problem }
}
