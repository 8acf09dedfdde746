import { isEntryPoint, keyTag, roleOf, type RoleFacts } from '#dns/dnssec/key_roles'

/**
 * What follows when a key ends or signs no longer:
 * `unsigns`: no active key is left, so the zone is served without signatures;
 * `no_entry_point`: none is left that DS records can name, so the chain from the parent breaks;
 * `ds_named`: a DS record of the parent names this very key;
 * `ds_unknown`: the parent may have a DS record of it;
 * `takes_over`: the other keys of its algorithm sign what it signed;
 * `unused`: it signs nothing, so nothing is answered otherwise but its DNSKEY record.
 */
export type KeyEffect =
  'unsigns' | 'no_entry_point' | 'ds_named' | 'ds_unknown' | 'takes_over' | 'unused'

/** A key as its effects follow from it. */
export interface EffectiveKey extends RoleFacts {
  id: number
  dnskey: string
}

const GRAVE: ReadonlySet<KeyEffect> = new Set(['unsigns', 'no_entry_point', 'ds_named'])

/**
 * What follows when the key is deleted or deactivated.
 *
 * @param keys all keys of the zone, this one among them
 * @param parentDs contents of the DS records of the zone as far as they are known; null where they are not
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
  const left = keys.filter(({ id, active }) => active && id !== key.id)
  const chain: KeyEffect[] = named
    ? ['ds_named']
    : isEntryPoint(key) && parentDs === null
      ? ['ds_unknown']
      : []
  if (left.length === 0) {
    return ['unsigns', ...chain]
  }
  if (isEntryPoint(key) && !left.some(isEntryPoint)) {
    return ['no_entry_point', ...chain]
  }
  const isAlone = left.every(({ algorithm }) => algorithm !== key.algorithm)
  return [...(isAlone || roleOf(key, keys) === 'csk' ? [] : (['takes_over'] as const)), ...chain]
}

/** Whether names of the zone may stop resolving by it. */
export function isGrave(effects: readonly KeyEffect[]): boolean {
  return effects.some((effect) => GRAVE.has(effect))
}

/** Whether one of the DS records is of the key (RFC 4034, 5.1: by tag and algorithm). */
function namesKey({ dnskey, algorithm }: EffectiveKey, records: readonly string[]): boolean {
  const tag = keyTag(dnskey)
  return records.some((text) => {
    const [ofTag, ofAlgorithm] = text.trim().split(/\s+/).map(Number)
    return ofTag === tag && ofAlgorithm === algorithm
  })
}
