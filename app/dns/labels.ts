import { domainToASCII } from 'node:url'
import { isWithin } from '#dns/name_tree'

const LABEL_LIMIT = 63
const NAME_LIMIT = 253
const INPUT_LIMIT = 1000
const DOTS = /[.\u3002\uff0e\uff61]/
const PLAIN = /^[a-z0-9_-]+$/

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
 * Takes a name apart into lower case ASCII labels; IDN labels become punycode (UTS 46). The labels are
 * not checked yet.
 *
 * @throws LabelProblem for a label that is no IDN
 */
export function foldLabels(input: string): Labels {
  if (input.length > INPUT_LIMIT) throw new LabelProblem('is too long')
  const labels = input.split(DOTS).map(foldLabel)
  const absolute = labels.length > 1 && labels.at(-1) === ''
  return { labels: absolute ? labels.slice(0, -1) : labels, absolute }
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
 * Checks the labels of an absolute name (RFC 1035, 2.3.4; characters after RFC 952 plus "_"); "/" is for
 * classless reverse names (RFC 2317) only, and "*" for the first label where `wildcard` is set (RFC 4592).
 *
 * @returns the name, without final dot
 * @throws LabelProblem
 */
export function joinLabels(labels: string[], wildcard: boolean): string {
  const name = labels.join('.')
  for (const [index, label] of labels.entries()) {
    if (label === '*' && index === 0 && wildcard) continue
    checkLabel(label, name)
  }
  if (name.length > NAME_LIMIT) throw new LabelProblem(`is longer than ${NAME_LIMIT} characters`)
  return name
}

function checkLabel(label: string, name: string): void {
  if (label === '') throw new LabelProblem('has an empty label')
  if (label.length > LABEL_LIMIT) {
    throw new LabelProblem(`has a label longer than ${LABEL_LIMIT} characters`)
  }
  if (label.startsWith('-') || label.endsWith('-')) {
    throw new LabelProblem('has a label that starts or ends with "-"')
  }
  if (label === '*') throw new LabelProblem('has a "*" where no wildcard can be')
  if (PLAIN.test(label)) return
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
