import type { BackendZone, SigningKey, SigningState } from '#backends/contract/backend'
import { isReplica } from '#backends/contract/zone_kinds'
import { isEntryPoint, keyTag, roleOf, type KeyRole } from '#dns/dnssec/key_roles'
import { algorithmMnemonic } from '#dns/dnssec/signing_algorithms'
import { isSigned } from '#zones/dnssec/signing_context'

/** Signing state of a zone. `inactive`: the zone has keys, but none is active. */
export type SigningWord = 'presigned' | 'signed' | 'replica' | 'inactive' | 'unsigned'

/** A DS record in the forms that registrars ask for. */
export interface DsView {
  line: string
  keyTag: number
  algorithm: string
  digestType: number
  digestName: string
  digest: string
}

/** A key of a zone as its page shows it. */
export interface KeyView {
  id: number
  role: KeyRole
  tag: number | null
  algorithm: string
  bits: number
  isActive: boolean
  isPublished: boolean
  isEntryPoint: boolean
  /** The parent needs its DS records: it signs the keys, or will. */
  isForParent: boolean
  dnskey: { line: string; flags: number; protocol: number; algorithm: string; publicKey: string }
  ds: DsView[]
}

/** Digest types, the recommended one first (RFC 8624, 3.3). */
const DIGESTS = [
  { type: 2, name: 'SHA-256' },
  { type: 4, name: 'SHA-384' },
  { type: 1, name: 'SHA-1' },
]

/** In a word, how the zone is signed. */
export function signingWord(zone: BackendZone, state: SigningState): SigningWord {
  if (state.isPresigned) return 'presigned'
  if (isSigned(state)) return 'signed'
  if (isReplica(zone)) return 'replica'
  return state.keys.length > 0 ? 'inactive' : 'unsigned'
}

/** The keys of a zone, those that sign first. */
export function keyViews({ name }: BackendZone, { keys }: SigningState): KeyView[] {
  return [...keys]
    .sort((one, other) => Number(other.active) - Number(one.active) || one.id - other.id)
    .map((key) => keyView(name, key, keys))
}

/** One key of a zone. */
export function keyView(zone: string, key: SigningKey, keys: readonly SigningKey[]): KeyView {
  const [flags, protocol, algorithm, ...publicKey] = key.dnskey.trim().split(/\s+/)
  return {
    id: key.id,
    role: roleOf(key, keys),
    tag: keyTag(key.dnskey),
    algorithm: algorithmText(key.algorithm),
    bits: key.bits,
    isActive: key.active,
    isPublished: key.published,
    isEntryPoint: isEntryPoint(key),
    isForParent:
      key.ds.length > 0 && (isEntryPoint(key) || (key.active && roleOf(key, keys) === 'csk')),
    dnskey: {
      line: `${zone}. IN DNSKEY ${key.dnskey}`,
      flags: Number(flags),
      protocol: Number(protocol),
      algorithm: algorithmText(Number(algorithm)),
      publicKey: publicKey.join(''),
    },
    ds: key.ds
      .map((text) => dsView(zone, text))
      .sort((one, other) => rankOf(one.digestType) - rankOf(other.digestType)),
  }
}

function dsView(zone: string, text: string): DsView {
  const [tag, algorithm, digestType, ...digest] = text.trim().split(/\s+/)
  const joined = digest.join('').toUpperCase()
  const type = Number(digestType)
  return {
    line: `${zone}. IN DS ${tag} ${algorithm} ${digestType} ${joined}`,
    keyTag: Number(tag),
    algorithm: algorithmText(Number(algorithm)),
    digestType: type,
    digestName: DIGESTS.find((one) => one.type === type)?.name ?? String(type),
    digest: joined,
  }
}

function algorithmText(number: number): string {
  const word = algorithmMnemonic(number)
  return word === String(number) ? word : `${number} (${word})`
}

function rankOf(type: number): number {
  const place = DIGESTS.findIndex((one) => one.type === type)
  return place === -1 ? DIGESTS.length : place
}
