import { invalidAnswer } from '#backends/powerdns_api/errors'
import type { SigningKey } from '#backends/contract/signing'

/** Mnemonics of the numbers, as PowerDNS writes them in answers. */
const DNSKEY_CONTENT = /^(\d{1,5}) 3 (\d{1,3}) [A-Za-z0-9+/=]+$/

/** Parses a list of keys, sorted by id. Throws `BackendUnavailable` for an invalid answer. */
export function parseSigningKeys(answer: unknown): SigningKey[] {
  if (!Array.isArray(answer)) {
    throw invalidAnswer('no list of keys')
  }
  return answer.map(parseSigningKey).sort((a, b) => a.id - b.id)
}

/** The id of a generated key. The rest of the answer contains the private key and is not read. */
export function parseCreatedKeyId(answer: unknown): number {
  const { id } = (answer ?? {}) as Record<string, unknown>
  if (!Number.isSafeInteger(id)) {
    throw invalidAnswer('no id of a key')
  }
  return id as number
}

/** Values of a metadata kind. */
export function parseMetadataValues(answer: unknown): string[] {
  const { metadata } = (answer ?? {}) as Record<string, unknown>
  if (!isStringArray(metadata)) {
    throw invalidAnswer('no metadata')
  }
  return metadata
}

function parseSigningKey(item: unknown): SigningKey {
  const key = (item ?? {}) as Record<string, unknown>
  const { id, flags, bits, active, published = true, dnskey, ds = [] } = key
  const fields = typeof dnskey === 'string' ? DNSKEY_CONTENT.exec(dnskey) : null
  const isKey =
    Number.isSafeInteger(id) &&
    Number.isSafeInteger(bits) &&
    typeof active === 'boolean' &&
    typeof published === 'boolean' &&
    isStringArray(ds)
  if (!isKey || !fields) {
    throw invalidAnswer('a key of an unknown form')
  }
  return {
    id: id as number,
    flags: Number.isSafeInteger(flags) ? (flags as number) : Number(fields[1]),
    algorithm: Number(fields[2]),
    bits: bits as number,
    active: active as boolean,
    published: published as boolean,
    dnskey: dnskey as string,
    ds,
  }
}

function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
