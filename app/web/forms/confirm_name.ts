import { displayName } from '#web/page/display_name'

/** Whether somebody typed the name of a zone, as it is on the wire or as people read it. */
export function isNamed(typed: string, zone: string): boolean {
  const name = typed.trim().toLowerCase().replace(/\.$/, '')
  return [zone, displayName(zone).text].includes(name)
}
