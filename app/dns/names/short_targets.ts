import type { Violation } from '#dns/rules/violation'
import type { RRsetKey } from '#dns/types'

/**
 * Words of a content that are names; a negative number counts from the last word. The names of SOA
 * stay: clients send the whole content back with another serial.
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
/** A part of a word: a quoted string with its escapes and blanks, up to the end if it is not closed, or other text. */
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

/** The names of one label in a content, without a final dot. */
function shortNames(type: string, content: string): ShortName[] {
  const mnemonic = type.toUpperCase()
  if (!(mnemonic in NAMES) && !(mnemonic in GATEWAYS)) return []
  const words = wordsIn(content)
  if (words[0]?.label === '\\#') return []
  return namesIn(mnemonic, words).flatMap((at) => {
    const word = words.at(at)
    return word && words.length >= -at && ONE_LABEL.test(word.label) && !POLICY.test(word.label)
      ? [word]
      : []
  })
}

/** The words of a content, in linear time. */
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
 * The content as it is meant, where people and clients write it: a name of one label without a final dot is
 * relative to the zone, as in zone files (RFC 1035, 5.1). `mail.` is the top-level name. Every other content
 * comes back as it is.
 *
 * @param type    mnemonic in any case
 * @param content as it was written
 * @param apex    canonical name of the zone
 */
export function withFullTarget(type: string, content: string, apex: string): string {
  return shortNames(type, content).reduceRight(
    (full, { label, start }) =>
      `${full.slice(0, start)}${label}.${apex}.${full.slice(start + label.length)}`,
    content
  )
}

/**
 * Says how names of one label were read, each once.
 *
 * @param content as it was written
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
    message: `${name} ${type}: the target "${label}" has no dot and was read as ${label}.${apex}.; the top-level name is written "${label}." (RFC 1035, 5.1)`,
  }))
}

/** Records as people and clients write them. */
export function typed<Item extends object>(records: readonly Item[]): (Item & { isTyped: true })[] {
  return records.map((record) => ({ ...record, isTyped: true }))
}
