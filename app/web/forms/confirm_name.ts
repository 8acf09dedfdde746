import { displayName } from '#web/page/display_name'

/** Whether the text is the name of the zone, in ASCII or Unicode form. */
export function isNamed(typed: string, zone: string): boolean {
  const name = typed.trim().toLowerCase().replace(/\.$/, '')
  return [zone, displayName(zone).text].includes(name)
}
