import { completeMailbox, completeName, endsInDot } from '#dns/zonefile/reading/file_names'

/**
 * Indexes of the words that are names, by type, in zone files: a priority counts as the first word. Contents have absolute
 * names; zone files have relative names or names with a final dot.
 */
const HOSTS: Readonly<Record<string, readonly number[]>> = {
  AFSDB: [1],
  ALIAS: [0],
  CNAME: [0],
  DNAME: [0],
  HTTPS: [1],
  KX: [1],
  LP: [1],
  MB: [0],
  MX: [1],
  NAPTR: [5],
  NS: [0],
  NSEC: [0],
  PTR: [0],
  PX: [1, 2],
  RP: [1],
  RRSIG: [7],
  RT: [1],
  SIG: [7],
  SOA: [0],
  SRV: [3],
  SVCB: [1],
  TALINK: [0, 1],
  TKEY: [0],
  TSIG: [0],
}

const MAILBOXES: Readonly<Record<string, readonly number[]>> = {
  MG: [0],
  MINFO: [0, 1],
  MR: [0],
  RP: [0],
  SOA: [1],
}

/** Types whose gateway is a name only for certain values of another word (RFC 4025, 2.3; RFC 8777, 4.2.3). */
const GATEWAYS: Readonly<Record<string, { at: number; kind: number }>> = {
  AMTRELAY: { at: 3, kind: 2 },
  IPSECKEY: { at: 3, kind: 1 },
}
const NAME_GATEWAY = '3'
const MAIL_CHARACTERS = /[!#%&'+=?^{|}~]/g
const NONE: readonly number[] = []

/** Types whose content consists of character-strings; each word without quotes is a string. */
export const TEXT_TYPES: ReadonlySet<string> = new Set([
  'AVC',
  'NINFO',
  'RESINFO',
  'SPF',
  'TXT',
  'WALLET',
])

/** Returns the indexes of host names among the words or tokens. */
export function hostsIn(
  type: string,
  words: readonly (string | { text: string })[]
): readonly number[] {
  const gateway = GATEWAYS[type]
  if (gateway) {
    const kind = words[gateway.kind]
    return (typeof kind === 'string' ? kind : kind?.text) === NAME_GATEWAY ? [gateway.at] : NONE
  }
  return HOSTS[type] ?? NONE
}

/** Completes the names among the words of a content, in place. */
export function completeNames(type: string, words: string[], origin: string): void {
  if (words[0] === '\\#') return
  for (const position of hostsIn(type, words)) {
    if (position < words.length && isBare(words[position]))
      words[position] = completeName(words[position], origin)
  }
  for (const position of MAILBOXES[type] ?? NONE) {
    if (position < words.length && isBare(words[position]))
      words[position] = completeMailbox(words[position], origin)
  }
}

/**
 * Adds the final dots to the names among the words of a canonical content, in place. Escapes characters of mailboxes that are
 * invalid in host names with a backslash, which Knot DNS requires.
 */
export function dotNames(type: string, words: string[]): void {
  if (words[0] === '\\#') return
  for (const position of hostsIn(type, words))
    if (position < words.length) words[position] = dotted(words[position])
  for (const position of MAILBOXES[type] ?? NONE) {
    if (position < words.length)
      words[position] = dotted(words[position].replace(MAIL_CHARACTERS, '\\$&'))
  }
}

function dotted(name: string): string {
  return endsInDot(name) ? name : `${name}.`
}

function isBare(word: string): boolean {
  return !word.startsWith('"')
}

/** Changes the host names and mailboxes among the words of a canonical content, in place. */
export function changeNames(type: string, words: string[], change: (name: string) => string): void {
  if (words[0] === '\\#') return
  for (const position of [...hostsIn(type, words), ...(MAILBOXES[type] ?? NONE)]) {
    if (position < words.length && isBare(words[position]))
      words[position] = change(words[position])
  }
}
