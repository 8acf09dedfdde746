import { isEntryPoint, keyTag, roleOf, type RoleFields } from '#dns/dnssec/key_roles'

/** Effect of deleting or deactivating a key. */
export type KeyEffect =
  /** No active key remains: the zone is served without signatures. */
  | 'unsigns'
  /** No remaining key can have a DS record: the chain of trust from the parent breaks. */
  | 'no_entry_point'
  /** A DS record of the parent names this key. */
  | 'ds_named'
  /** The parent may have a DS record of this key. */
  | 'ds_unknown'
  /** The other keys of its algorithm sign instead. */
  | 'takes_over'
  /** The key signs nothing: only its DNSKEY record disappears. */
  | 'unused'

/** Facts about a key that decide its effects. */
export interface EffectiveKey extends RoleFields {
  id: number
  dnskey: string
}

const SEVERE_EFFECTS: ReadonlySet<KeyEffect> = new Set(['unsigns', 'no_entry_point', 'ds_named'])

/**
 * Returns the effects of deleting or deactivating the key.
 *
 * @param keys all keys of the zone, including this one
 * @param parentDs contents of the known DS records of the zone; null if unknown
 */
export function keyEffects(
  key: EffectiveKey,
  keys: readonly EffectiveKey[],
  parentDs: readonly string[] | null
): KeyEffect[] {
  const named = namesKey(key, parentDs ?? [])
  if (!key.active) {
    return named ? ['ds_named'] : ['unused']
  }
  const remainingKeys = keys.filter(({ id, active }) => active && id !== key.id)
  const chain: KeyEffect[] = named
    ? ['ds_named']
    : isEntryPoint(key) && parentDs === null
      ? ['ds_unknown']
      : []
  if (remainingKeys.length === 0) {
    return ['unsigns', ...chain]
  }
  if (isEntryPoint(key) && !remainingKeys.some(isEntryPoint)) {
    return ['no_entry_point', ...chain]
  }
  const isAlone = remainingKeys.every(({ algorithm }) => algorithm !== key.algorithm)
  return [...(isAlone || roleOf(key, keys) === 'csk' ? [] : (['takes_over'] as const)), ...chain]
}

/** Returns whether names of the zone may stop resolving. */
export function isGrave(effects: readonly KeyEffect[]): boolean {
  return effects.some((effect) => SEVERE_EFFECTS.has(effect))
}

/** Returns whether one of the DS records has the tag and algorithm of the key (RFC 4034, 5.1). */
function namesKey({ dnskey, algorithm }: EffectiveKey, records: readonly string[]): boolean {
  const tag = keyTag(dnskey)
  return records.some((text) => {
    const [ofTag, ofAlgorithm] = text.trim().split(/\s+/).map(Number)
    return ofTag === tag && ofAlgorithm === algorithm
  })
}
