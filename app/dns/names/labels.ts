import { domainToASCII } from 'node:url'
import { isWithin, splitEscaped } from '#dns/names/name_tree'

const LABEL_LIMIT = 63
const NAME_LIMIT = 253
const INPUT_LIMIT = 1000
const ANY_DOT = /[.\u3002\uff0e\uff61]/
const PLAIN_LABEL = /^[a-z0-9_-]+$/
/** Characters that PowerDNS 4.7 serves, escaped as stored. It answers SERVFAIL for other names. */
const SERVED_NAME = /^(?:[a-z0-9_*/:@-]|\\[.\\]|\\032)+$/
const SERVED_NAME_START = /^(?:[a-z0-9_*/:@-]|\\[.\\]|\\032)+/

/** Returns whether a text has only visible ASCII characters. */
export function isPrintableAscii(text: string): boolean {
  return /^[ -~]*$/.test(text)
}

/** Labels of a name from left to right, and whether the name ended with a dot. */
export interface Labels {
  labels: string[]
  absolute: boolean
}

/** A name is invalid; the message starts with the name. */
export class LabelProblem extends Error {}

/**
 * Splits a name into lower-case ASCII labels; IDN labels become punycode (UTS 46). Escapes (`\DDD`,
 * `\X`; RFC 1035, 5.1) get the form of `printLabel`. Does not validate the labels.
 *
 * @throws LabelProblem for an invalid IDN label or escape
 */
export function foldLabels(input: string): Labels {
  if (input.length > INPUT_LIMIT) throw new LabelProblem('is too long')
  const labels = input.includes('\\')
    ? splitEscaped(input).map(foldEscaped)
    : input.split(ANY_DOT).map(foldLabel)
  const absolute = labels.length > 1 && labels.at(-1) === ''
  return { labels: absolute ? labels.slice(0, -1) : labels, absolute }
}

/** Returns a label with escapes in the form of `printLabel`. */
function foldEscaped(label: string): string {
  return label.includes('\\') ? printLabel(labelBytes(label)) : foldLabel(label)
}

/**
 * Returns the octets of a label on the wire.
 *
 * @throws LabelProblem for an invalid escape
 */
export function labelBytes(label: string): Uint8Array {
  const bytes: number[] = []
  for (const [part, digits, sign] of label.matchAll(/\\(\d{3})|\\(\D)|[^]/gu)) {
    if (digits !== undefined && Number(digits) <= 255) bytes.push(Number(digits))
    else if (part === '\\' || digits !== undefined) throw new LabelProblem('has an invalid escape')
    else bytes.push(...Buffer.from(sign ?? part))
  }
  return Uint8Array.from(bytes)
}

/**
 * Returns a label as PowerDNS stores it: `\.`, `\\`, and `\DDD` for bytes that are no visible
 * ASCII.
 */
function printLabel(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => {
    const sign = String.fromCharCode(byte)
    if (sign === '.' || sign === '\\') return `\\${sign}`
    return byte > 0x20 && byte < 0x7f ? sign.toLowerCase() : `\\${String(byte).padStart(3, '0')}`
  }).join('')
}

function foldLabel(label: string): string {
  if (isPrintableAscii(label)) return label.toLowerCase()

  // domainToASCII parses the host of a URL. The test on `ascii` prevents that it cuts off a path or
  // port; the suffix prevents that it parses digits as an IPv4 address.
  const ascii = label.replace(/[\u0080-\u{10ffff}]/gu, '').toLowerCase()
  const folded = ascii === '' || PLAIN_LABEL.test(ascii) ? domainToASCII(`${label}.test`) : ''
  if (!folded.endsWith('.test'))
    throw new LabelProblem('has a label that is not a valid IDN (UTS 46)')
  return folded.slice(0, -'.test'.length)
}

/**
 * Validates the labels of a zone name (RFC 1035, 2.3.4; characters of RFC 952 and "_"); allows "/"
 * only in classless reverse names (RFC 2317).
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
 * Validates the labels of an owner name or target. DNS allows all characters (RFC 2181, 11); this
 * refuses those that PowerDNS does not serve.
 *
 * @returns the name, without final dot
 * @throws LabelProblem
 */
export function joinLabels(labels: string[]): string {
  for (const label of labels) {
    if (label !== '' && !SERVED_NAME.test(label)) throw new LabelProblem(unserved(label))
  }
  return joinStoredLabels(labels)
}

/**
 * Validates lengths only, for stored names and searches.
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

/** Names the character that PowerDNS does not serve. */
function unserved(label: string): string {
  const [sign] = label.replace(SERVED_NAME_START, '').match(/^(?:\\\d{3}|[^])/u) ?? ['']
  if (sign === ' ') return 'has the character " ", which must be written as \\032'
  return `has the character ${JSON.stringify(sign)}, which PowerDNS does not serve in names`
}

function checkZoneLabel(label: string, name: string): void {
  if (label.startsWith('-') || label.endsWith('-')) {
    throw new LabelProblem('has a label that starts or ends with "-"')
  }
  if (label === '*') throw new LabelProblem('has a "*" where no wildcard is allowed')
  if (label === '' || PLAIN_LABEL.test(label)) return
  if (!label.includes('/')) throw new LabelProblem('has a character that is not allowed in names')
  if (!isClassless(label, name)) {
    throw new LabelProblem('has a "/" outside a classless reverse name (RFC 2317)')
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
