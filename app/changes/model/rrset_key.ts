import type { BackendZone } from '#backends/contract/backend'
import type { RecordAction } from '#changes/model/change_set'
import type { ZoneReader } from '#changes/model/zone_reader'
import { mapYielding } from '#database/event_loop'
import { ifValid } from '#dns/errors'
import { literalOwnerName, storedOwnerName } from '#dns/names'
import type { RRsetKey } from '#dns/types'

/** A zone, as far as its records depend on it. */
export type Apex = Pick<BackendZone, 'name'>

/**
 * The canonical key of an RRset that a user names. Stored names may have any characters. Throws
 * `InvalidDns` for an invalid name.
 */
export function rrsetKey(zone: Apex, { name, type }: RRsetKey): RRsetKey {
  return { name: storedOwnerName(name, zone.name), type: type.toUpperCase() }
}

/**
 * The key of the RRset of an action. A key from the journal or from storage is not normalised:
 * other programs may have written it.
 */
export function keyOfInput(
  zone: Apex,
  { name, type, isKnown, isStoredName }: RRsetKey & { isKnown?: boolean; isStoredName?: boolean }
): RRsetKey {
  return isKnown || isStoredName
    ? { name: name.replace(/\.$/, ''), type }
    : rrsetKey(zone, { name, type })
}

/**
 * The key of a stored RRset that a user names, also by a name that no DNS name is. Without such an
 * RRset it is that of `rrsetKey`, which throws `InvalidDns` for an invalid name.
 */
export async function findStoredKey(
  reader: Pick<ZoneReader, 'rrsetsAt'>,
  zone: BackendZone,
  input: RRsetKey
): Promise<RRsetKey> {
  const literal = literalKey(zone, input)
  const sets = literal ? await reader.rrsetsAt(zone, [literal.name]) : []
  return literal && hasSet(sets, literal) ? literal : rrsetKey(zone, input)
}

/**
 * Returns the actions with stored names where they name RRsets that other programs stored under a
 * name that no DNS name is, such as `x..y`. Other names stay, and are validated later.
 */
export async function withStoredNames(
  reader: Pick<ZoneReader, 'rrsetsAt'>,
  zone: BackendZone,
  actions: RecordAction[]
): Promise<RecordAction[]> {
  const keys = await mapYielding(actions, (action) =>
    action.op === 'set' || action.op === 'remove' || action.op === 'clear'
      ? literalKey(zone, action)
      : null
  )
  const names = new Set(keys.flatMap((key) => key?.name ?? []))
  if (names.size === 0) return actions
  const sets = await reader.rrsetsAt(zone, [...names])
  return actions.map((action, index) => {
    const key = keys[index]
    return key && hasSet(sets, key) ? { ...action, ...key, isStoredName: true } : action
  })
}

/** The key as written, if it differs from the canonical one. */
function literalKey(
  zone: Apex,
  { name, type, isKnown }: RRsetKey & { isKnown?: boolean }
): RRsetKey | null {
  const literal = isKnown ? null : literalOwnerName(name, zone.name)
  // No database stores NUL and halves of surrogate pairs.
  if (literal === null || literal.includes('\0') || !literal.isWellFormed()) return null
  const differsFromCanonical = canonicalName(name, zone) !== literal
  return differsFromCanonical ? { name: literal, type: type.toUpperCase() } : null
}

function canonicalName(name: string, zone: Apex): string | undefined {
  return ifValid(() => storedOwnerName(name, zone.name))
}

function hasSet(sets: RRsetKey[], { name, type }: RRsetKey): boolean {
  return sets.some((set) => set.name === name && set.type === type)
}
