import { InvalidDns } from '#dns/errors'
import { METADATA_KINDS, type MetadataKind } from '#dns/metadata/kinds'
import { TEXT } from '#dns/metadata/values'

/** Values of a zone's metadata by kind, in the order that they were written in. */
export type Metadata = Record<string, string[]>

/** Length of PowerDNS' column. */
const MAX_KIND = 32

/** Most values of one kind. */
export const MAX_VALUES = 100

/** Most kinds of a zone. */
const MAX_KINDS = 100

/** Most characters of all values of a zone, which are ASCII: 1 MiB. */
const MAX_TOTAL = 1024 * 1024

const BY_NAME = new Map(METADATA_KINDS.map((kind) => [kind.kind, kind]))

/**
 * The kind of that name, in any case of letters. One that PowerDNS does not know takes any text: it gives it
 * to scripts, and over its HTTP API takes those that begin with `X-`.
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
      isDenial: false,
    }
  )
}

/** Whether PowerDNS knows a kind, in any case of letters. */
export function isKnownKind(name: string): boolean {
  return BY_NAME.has(name.toUpperCase())
}

/**
 * The canonical name of a kind that can be written: upper case.
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
 * The values in the form in which they are stored, each once.
 *
 * @throws InvalidDns on 'values' at the first that the kind does not take
 */
export function metadataValues(name: string, values: string[]): string[] {
  const { kind, value: rule } = metadataKind(name)
  const read = values.map((text) => {
    const value = rule.read(text)
    if (value === undefined) {
      throw new InvalidDns('values', text, rule.allowed, { problem: `is no value of ${kind}` })
    }
    return value
  })
  return [...new Set(read)]
}

/** Whether two lists of values mean the same: name servers read them in no order. */
export function sameValues(one: string[], other: string[]): boolean {
  const sorted = [one, other].map((values) => JSON.stringify([...values].sort()))
  return sorted[0] === sorted[1]
}

/**
 * Why metadata does not fit together, in words; null where it does.
 *
 * @param metadata all of the zone
 */
export function metadataConflict(metadata: Metadata): string | null {
  const isNarrow = metadata.NSEC3NARROW?.[0] === '1'
  return isNarrow && !metadata.NSEC3PARAM?.length
    ? 'NSEC3NARROW is for zones with NSEC3PARAM: set NSEC3PARAM first'
    : null
}

/**
 * Why there is too much metadata, in words; null where there is not, or was as much before.
 *
 * @param before all of the zone, as it was
 * @param after all of the zone, as it is to be
 */
export function metadataExcess(before: Metadata, after: Metadata): string | null {
  const [had, has] = [sizeOf(before), sizeOf(after)]
  if (has.kinds > MAX_KINDS && has.kinds > had.kinds) {
    return `A zone has at most ${MAX_KINDS} kinds of metadata: delete one first`
  }
  return has.total > MAX_TOTAL && has.total > had.total
    ? `The metadata of a zone has at most ${MAX_TOTAL} characters in all, found ${has.total}: delete some first`
    : null
}

function sizeOf(metadata: Metadata): { kinds: number; total: number } {
  const lists = Object.values(metadata).filter((values) => values.length > 0)
  return { kinds: lists.length, total: lists.flat().reduce((sum, { length }) => sum + length, 0) }
}
