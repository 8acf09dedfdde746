import type { Violation } from '#dns/rules/violation'
import type { RRsetKey } from '#dns/types'

/**
 * Indexes of the words of a content that are names; a negative index counts from the last word. SOA is absent, because clients
 * send the whole content back with another serial.
 */
const NAMES: Readonly<Record<string, readonly number[]>> = {
  AFSDB: [-1],
  ALIAS: [-1],
  CNAME: [-1],
  DNAME: [-1],
  HTTPS: [1],
  KX: [-1],
  LP: [-1],
  MB: [-1],
  MG: [-1],
  MINFO: [-2, -1],
  MR: [-1],
  MX: [-1],
  NAPTR: [-1],
  NS: [-1],
  NSEC: [0],
  PTR: [-1],
  PX: [-2, -1],
  RP: [-2, -1],
  RT: [-1],
  SRV: [-1],
  SVCB: [1],
  TALINK: [-2, -1],
}
/** Types whose gateway is a name if another word is 3 (RFC 4025, 2.3; RFC 8777, 4.2.3). */
const GATEWAYS: Readonly<Record<string, { at: number; kind: number }>> = {
  AMTRELAY: { at: 2, kind: 1 },
  IPSECKEY: { at: 3, kind: 1 },
}
const NONE: readonly number[] = []
/**
 * Part of a word: a quoted string with escapes and spaces, or other text. A string without closing quote reaches to the end.
 */
const PART = /"(?:[^"\\]+|\\[^])*(?:"|\\?$)|[^\s"]+/y
/** One label, with escapes; "*" is an action of response policy zones. */
const ONE_LABEL = /^(?!\*$)(?:\\\d{3}|\\\D|[^\\."@:;()\s\u3002\uff0e\uff61])+$/u
/** Targets that mean an action in response policy zones (doc.powerdns.com/recursor, RPZ). */
const POLICY = /^rpz-/i

interface ShortName {
  label: string
  /** Index of the label in the content. */
  start: number
}

/** Returns the names in a content that have one label and no final dot. */
function shortNames(type: string, content: string): ShortName[] {
  const mnemonic = type.toUpperCase()
  if (!(mnemonic in NAMES) && !(mnemonic in GATEWAYS)) return []
  const words = wordsIn(content)
  if (words[0]?.label === '\\#') return []
  return namesIn(mnemonic, words).flatMap((position) => {
    const word = words.at(position)
    return word &&
      words.length >= -position &&
      ONE_LABEL.test(word.label) &&
      !POLICY.test(word.label)
      ? [word]
      : []
  })
}

/** Splits a content into words, in linear time. */
function wordsIn(content: string): ShortName[] {
  const words: ShortName[] = []
  for (let start = 0; start < content.length;) {
    let end = start
    for (;;) {
      PART.lastIndex = end
      if (!PART.test(content)) break
      end = PART.lastIndex
    }
    if (end > start) words.push({ label: content.slice(start, end), start })
    start = end + 1
  }
  return words
}

function namesIn(type: string, words: ShortName[]): readonly number[] {
  const gateway = GATEWAYS[type]
  if (gateway) return words[gateway.kind]?.label === '3' ? [gateway.at] : NONE
  return NAMES[type] ?? NONE
}

/**
 * Completes names of one label without a final dot: they are relative to the zone, as in zone files (RFC 1035, 5.1). `mail.`
 * is the top-level name. Returns every other content unchanged.
 *
 * @param type    mnemonic in any case
 * @param content as the user or client wrote it
 * @param apex    canonical name of the zone
 */
export function withFullTarget(type: string, content: string, apex: string): string {
  return shortNames(type, content).reduceRight(
    (fullTarget, { label, start }) =>
      `${fullTarget.slice(0, start)}${label}.${apex}.${fullTarget.slice(start + label.length)}`,
    content
  )
}

/**
 * Returns one warning per name of one label, with the name that it was completed to.
 *
 * @param content as the user or client wrote it
 */
export function shortTargetWarnings(
  apex: string,
  { name, type }: RRsetKey,
  content: string
): Violation[] {
  const labels = new Set(shortNames(type, content).map(({ label }) => label))
  return Array.from(labels, (label) => ({
    rule: 'target-short',
    severity: 'warning',
    name,
    type,
    message: `${name} ${type}: the target "${label}" has no dot and was read as ${label}.${apex}.; to use the top-level name, write "${label}." (RFC 1035, 5.1)`,
  }))
}

/** Marks records as written by users or clients; see `RecordInput.isTyped`. */
export function withOwnTyped<Item extends object>(
  records: readonly Item[]
): (Item & { isTyped: true })[] {
  return records.map((record) => ({ ...record, isTyped: true }))
}
