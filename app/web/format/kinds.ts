import type { I18n } from '@adonisjs/i18n'

/** Zone kinds of the forms. Other kinds of PowerDNS, such as PRODUCER (catalog zones, RFC 9432), are displayed unchanged. */
export const ZONE_KINDS = ['MASTER', 'NATIVE', 'SLAVE'] as const

/** The kind of a zone in the words of pages, from PowerDNS' word for it. */
export function zoneKindText(i18n: I18n, kind: string): string {
  const known = ZONE_KINDS.find((one) => one === kind)
  return known ? i18n.t(`new_zones.${known}`) : kind
}
