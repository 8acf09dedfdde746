import { domainToASCII } from 'node:url'
import { isWithin, splitEscaped } from '#dns/names/name_tree'

const LABEL_LIMIT = 63
const NAME_LIMIT = 253
const INPUT_LIMIT = 1000
const DOTS = /[.\u3002\uff0e\uff61]/
const PLAIN = /^[a-z0-9_-]+$/
/** What PowerDNS 4.7 answers for, escaped as it is stored. It answers SERVFAIL for other names. */
const SERVED = /^(?:[a-z0-9_*/:@-]|\\[.\\]|\\032)+$/
const SERVED_PART = /^(?:[a-z0-9_*/:@-]|\\[.\\]|\\032)+/

/** Whether a text has no other characters than ASCII's, and none that cannot be seen. */
export function isPrintableAscii(text: string): boolean {
  return /^[ -~]*$/.test(text)
}

/** A name taken apart: labels from left to right, and whether it ended in a dot. */
export interface Labels {
  labels: string[]
  absolute: boolean
}

/** Why a name is refused, read after the name itself. */
export class LabelProblem extends Error {}

/**
 * Takes a name apart into lower case ASCII labels; IDN labels become punycode (UTS 46). Escapes (`\DDD`, `\X`;
 * RFC 1035, 5.1) come out in the form that PowerDNS stores: see `printLabel`. The labels are not checked yet.
 *
 * @throws LabelProblem for a label that is no IDN, and for a wrong escape
 */
export function foldLabels(input: string): Labels {
  if (input.length > INPUT_LIMIT) throw new LabelProblem('is too long')
  const labels = input.includes('\\')
    ? splitEscaped(input).map(foldEscaped)
    : input.split(DOTS).map(foldLabel)
  const absolute = labels.length > 1 && labels.at(-1) === ''
  return { labels: absolute ? labels.slice(0, -1) : labels, absolute }
}

/** A label with escapes: its bytes, printed as PowerDNS prints them. */
function foldEscaped(label: string): string {
  return label.includes('\\') ? printLabel(labelBytes(label)) : foldLabel(label)
}

/**
 * The octets that a label with escapes has on the wire.
 *
 * @throws LabelProblem for a wrong escape
 */
export function labelBytes(label: string): Uint8Array {
  const bytes: number[] = []
  for (const [part, digits, sign] of label.matchAll(/\\(\d{3})|\\(\D)|[^]/gu)) {
    if (digits !== undefined && Number(digits) <= 255) bytes.push(Number(digits))
    else if (part === '\\' || digits !== undefined) throw new LabelProblem('has a wrong escape')
    else bytes.push(...Buffer.from(sign ?? part))
  }
  return Uint8Array.from(bytes)
}

/** A label as PowerDNS stores it: `\.`, `\\`, and `\DDD` for bytes that are no visible ASCII. */
function printLabel(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => {
    const sign = String.fromCharCode(byte)
    if (sign === '.' || sign === '\\') return `\\${sign}`
    return byte > 0x20 && byte < 0x7f ? sign.toLowerCase() : `\\${String(byte).padStart(3, '0')}`
  }).join('')
}

function foldLabel(label: string): string {
  if (isPrintableAscii(label)) return label.toLowerCase()

  // domainToASCII parses its argument as the host of a URL: without the sieve it would cut a path or
  // a port off, and without the suffix it would read digits as an IPv4 address.
  const ascii = label.replace(/[\u0080-\u{10ffff}]/gu, '').toLowerCase()
  const folded = ascii === '' || PLAIN.test(ascii) ? domainToASCII(`${label}.test`) : ''
  if (!folded.endsWith('.test')) throw new LabelProblem('has a label that is no IDN (UTS 46)')
  return folded.slice(0, -'.test'.length)
}

/**
 * Checks the labels of the name of a zone (RFC 1035, 2.3.4; characters after RFC 952 plus "_"); "/" is for
 * classless reverse names (RFC 2317) only.
 *
 * @returns the name, without final dot
 * @throws LabelProblem
 */
export function joinZoneLabels(labels: string[]): string {
  const name = labels.join('.')
  for (const label of labels) checkZoneLabel(label, name)
  return joinStoredLabels(labels)
}

/**
 * Checks the labels of a name that stands in a zone. DNS has no rule about characters (RFC 2181, 11). Refused
 * are those that PowerDNS does not answer for.
 *
 * @returns the name, without final dot
 * @throws LabelProblem
 */
export function joinLabels(labels: string[]): string {
  for (const label of labels) {
    if (label !== '' && !SERVED.test(label)) throw new LabelProblem(unserved(label))
  }
  return joinStoredLabels(labels)
}

/**
 * Checks lengths only: for names that are stored already, or are looked for.
 *
 * @returns the name, without final dot
 * @throws LabelProblem
 */
export function joinStoredLabels(labels: string[]): string {
  let length = labels.length - 1
  for (const label of labels) {
    const octets = label.includes('\\') ? labelBytes(label).length : label.length
    if (octets === 0) throw new LabelProblem('has an empty label')
    if (octets > LABEL_LIMIT) {
      throw new LabelProblem(`has a label longer than ${LABEL_LIMIT} characters`)
    }
    length += octets
  }
  if (length > NAME_LIMIT) throw new LabelProblem(`is longer than ${NAME_LIMIT} characters`)
  return labels.join('.')
}

/** Says which character of a label PowerDNS does not answer for. */
function unserved(label: string): string {
  const [sign] = label.replace(SERVED_PART, '').match(/^(?:\\\d{3}|[^])/u) ?? ['']
  if (sign === ' ') return 'has the character " ", which is written \\032'
  return `has the character ${JSON.stringify(sign)}, which PowerDNS does not answer for`
}

function checkZoneLabel(label: string, name: string): void {
  if (label.startsWith('-') || label.endsWith('-')) {
    throw new LabelProblem('has a label that starts or ends with "-"')
  }
  if (label === '*') throw new LabelProblem('has a "*" where no wildcard can be')
  if (label === '' || PLAIN.test(label)) return
  if (!label.includes('/')) throw new LabelProblem('has a character that no name may have')
  if (!isClassless(label, name)) {
    throw new LabelProblem('has a "/" outside of a classless reverse name (RFC 2317)')
  }
}

function isClassless(label: string, name: string): boolean {
  const [first, prefix, more] = label.split('/')
  if (more !== undefined || !/^\d{1,3}$/.test(prefix)) return false
  if (isWithin(name, 'ip6.arpa')) return /^[0-9a-f]{1,32}$/.test(first) && Number(prefix) <= 128
  if (!isWithin(name, 'in-addr.arpa') || !/^\d{1,3}$/.test(first)) return false
  const size = 2 ** (32 - Number(prefix))
  return Number(first) <= 255 && size >= 1 && size <= 256 && Number(first) % size === 0
}
