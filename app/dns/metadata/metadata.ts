import { InvalidDns } from '#dns/errors'
import { METADATA_KINDS, type MetadataKind } from '#dns/metadata/kinds'
import { TEXT } from '#dns/metadata/values'

/** Metadata values of a zone by kind, in stored order. */
export type Metadata = Record<string, string[]>

/** Length of the PowerDNS column, in characters. */
const MAX_KIND = 32

/** Maximum number of values per kind. */
export const MAX_VALUES = 100

/** Maximum number of kinds per zone. */
const MAX_KINDS = 100

/** Maximum length of all values of a zone: 1 MiB, all ASCII. */
const MAX_TOTAL_BYTES = 1024 * 1024

const BY_NAME = new Map(METADATA_KINDS.map((kind) => [kind.kind, kind]))

/**
 * Returns the kind with this name, case-insensitively. Unknown kinds accept any text: scripts can
 * read them, and the HTTP API accepts names that begin with `X-`.
 */
export function metadataKind(name: string): MetadataKind {
  const kind = name.toUpperCase()
  return (
    BY_NAME.get(kind) ?? {
      kind,
      summary: 'For scripts of the name server and other tools',
      reference: 'PowerDNS',
      isList: true,
      value: TEXT,
      writer: 'manager',
      overApi: kind.startsWith('X-') ? 'metadata' : 'none',
      isServed: false,
      isSource: false,
      isTransfer: false,
      isDenial: false,
    }
  )
}

/**
 * Returns what others may do by the kind without passing this service: read the zone, write it, run
 * code, or nothing. Kinds of later versions of PowerDNS may do anything; `X-` kinds do nothing.
 */
export function outsideAccess(name: string): 'read' | 'write' | 'code' | null {
  const { kind, writer, isSource, isTransfer, overApi } = metadataKind(name)
  if (writer === 'administrator') {
    return 'code'
  }
  if (isSource || (!isKnownKind(kind) && overApi === 'none')) {
    return 'write'
  }
  return isTransfer ? 'read' : null
}

/** Returns whether PowerDNS defines the kind, case-insensitively. */
export function isKnownKind(name: string): boolean {
  return BY_NAME.has(name.toUpperCase())
}

/**
 * Returns the canonical name of a writable kind: upper case.
 *
 * @throws InvalidDns on 'kind'
 */
export function writableKind(name: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(name) || name.length > MAX_KIND) {
    const allowed = `1 to ${MAX_KIND} letters, digits, "-" or "_"`
    throw new InvalidDns('kind', name, allowed)
  }
  return name.toUpperCase()
}

/**
 * Returns the values in stored form, without duplicates.
 *
 * @throws InvalidDns on 'values' at the first invalid value
 */
export function metadataValues(name: string, values: string[]): string[] {
  const { kind, value: rule } = metadataKind(name)
  const read = values.map((text) => {
    const value = rule.read(text)
    if (value === undefined) {
      throw new InvalidDns('values', text, rule.allowed, { problem: `is not a value of ${kind}` })
    }
    return value
  })
  return [...new Set(read)]
}

/** Compares two lists of values without order, as name servers read them. */
export function sameValues(one: string[], other: string[]): boolean {
  const sorted = [one, other].map((values) => JSON.stringify([...values].sort()))
  return sorted[0] === sorted[1]
}

/**
 * Returns a message if kinds contradict each other; null otherwise.
 *
 * @param metadata all metadata of the zone
 */
export function metadataConflict(metadata: Metadata): string | null {
  const isNarrow = metadata.NSEC3NARROW?.[0] === '1'
  return isNarrow && !metadata.NSEC3PARAM?.length
    ? 'NSEC3NARROW needs NSEC3PARAM: set NSEC3PARAM first'
    : null
}

/**
 * Returns a message if the metadata exceed a limit; null otherwise, and if they exceeded it before.
 *
 * @param before all metadata before the change
 * @param after all metadata after the change
 */
export function metadataExcess(before: Metadata, after: Metadata): string | null {
  const [had, has] = [sizeOf(before), sizeOf(after)]
  if (has.kinds > MAX_KINDS && has.kinds > had.kinds) {
    return `A zone has at most ${MAX_KINDS} kinds of metadata: delete one first`
  }
  return has.total > MAX_TOTAL_BYTES && has.total > had.total
    ? `The metadata of a zone has at most ${MAX_TOTAL_BYTES} characters in total, found ${has.total}: delete some first`
    : null
}

function sizeOf(metadata: Metadata): { kinds: number; total: number } {
  const lists = Object.values(metadata).filter((values) => values.length > 0)
  return { kinds: lists.length, total: lists.flat().reduce((sum, { length }) => sum + length, 0) }
}
