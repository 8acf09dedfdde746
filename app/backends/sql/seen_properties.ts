import { isDeepStrictEqual } from 'node:util'
import type { BackendZone, PropertyChange } from '#backends/types'

type Properties = Pick<BackendZone, 'kind' | 'masters' | 'account'>

/** The properties of a zone as they are noted: always written the same way, so that notes are compared as text. */
export function noteOfProperties({ kind, masters, account }: Properties): string {
  return JSON.stringify({ kind, masters, account })
}

/** What differs between a note and the zone; null where nothing does. */
export function changedProperties(note: string, zone: BackendZone): PropertyChange | null {
  const known = JSON.parse(note) as Properties
  const keys = (Object.keys(known) as (keyof Properties)[]).filter(
    (key) => !isDeepStrictEqual(known[key], zone[key])
  )
  const among = (all: Properties) => Object.fromEntries(keys.map((key) => [key, all[key]]))
  return keys.length > 0 ? { before: among(known), after: among(zone) } : null
}
