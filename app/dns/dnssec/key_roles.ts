/** Role of a key: signs keys, signs all other data, or both. */
export type KeyRole = 'ksk' | 'zsk' | 'csk'

/** Roles that a new key can have. */
export const KEY_ROLES: readonly KeyRole[] = ['ksk', 'zsk', 'csk']

/** Facts about a key that decide its role. */
export interface RoleFields {
  /** Of the DNSKEY record (RFC 4034, 2.1.1). */
  flags: number
  algorithm: number
  active: boolean
}

/** Returns whether the secure entry point flag is set (RFC 4034, 2.1.1). */
export function isEntryPoint({ flags }: Pick<RoleFields, 'flags'>): boolean {
  return (flags & 1) === 1
}

/**
 * Returns the role of a key among all keys of its zone: `ksk` or `zsk` if active keys with and
 * without the secure entry point flag share its algorithm, otherwise `csk`.
 */
export function roleOf(key: RoleFields, keys: readonly RoleFields[]): KeyRole {
  const active = keys.filter((one) => one.active && one.algorithm === key.algorithm)
  const isSplit = active.some(isEntryPoint) && !active.every(isEntryPoint)
  if (!isSplit) {
    return 'csk'
  }
  return isEntryPoint(key) ? 'ksk' : 'zsk'
}

/**
 * Returns the key tag of a DNSKEY record (RFC 4034, appendix B), 0..65535; null for invalid text.
 *
 * @param dnskey `flags protocol algorithm base64`
 */
export function keyTag(dnskey: string): number | null {
  const [flags, protocol, algorithm, ...key] = dnskey.trim().split(/\s+/)
  if (![flags, protocol, algorithm].every((field) => /^\d{1,5}$/.test(field ?? ''))) {
    return null
  }
  const head = [Number(flags) >> 8, Number(flags) & 255, Number(protocol), Number(algorithm)]
  const rdata = Buffer.concat([Buffer.from(head), Buffer.from(key.join(''), 'base64')])
  let sum = 0
  rdata.forEach((byte, index) => {
    sum += index % 2 === 0 ? byte << 8 : byte
  })
  return (sum + (sum >> 16)) & 0xffff
}
