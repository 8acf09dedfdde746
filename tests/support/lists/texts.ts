import { domainToASCII } from 'node:url'
import type { Random } from '#tests/support/random'

/** Texts that sort and match in different ways: case, numbers, wildcards, quotes, other scripts, empty. */
export const TEXTS = [
  '',
  'host',
  'host2',
  'Host10',
  'host10',
  'HOST007',
  'host7',
  '10',
  '9',
  'a_b',
  'a%b',
  'a!b',
  'axb',
  'A_B',
  'a b',
  "o'neil",
  '"quoted"',
  'ärger',
  'Ärger',
  'straße',
  'STRASSE',
  'İstanbul',
  'istanbul',
  'zebra',
  'Zebra',
  '日本',
  '🦊',
]

/** Parts of these texts, and texts that match none. */
export const PARTS = [
  ...TEXTS,
  '%',
  '_',
  '!',
  "'",
  '"',
  '\\',
  'HOST1',
  'ÄRG',
  'ß',
  'ss',
  'münchen',
  'MÜNCHEN.',
  'İ',
  '本',
  'nothing such',
  ' ',
  '0',
]

/**
 * Converts labels with non-ASCII letters to punycode, as in domain names. Returns the text unchanged if no name can contain
 * it.
 */
export function inPunycode(text: string): string {
  return /^[ -~]*$/.test(text) ? text : domainToASCII(text) || text
}

/** Returns a random one of the texts. */
export function textOf(random: Random): string {
  return random.pick(TEXTS)
}

/** Returns one of a few past times, so that many rows have equal times. */
export function timestampOf(random: Random): string {
  return `2020-01-0${1 + random.below(4)}T10:00:00.000Z`
}

/** Returns the case folding of the database: MariaDB folds U+0130 to one character, the others to two. */
export function foldOf(dialect: string): (text: string) => string {
  return dialect === 'mysql'
    ? (text) => text.replaceAll('İ', 'i').toLowerCase()
    : (text) => text.toLowerCase()
}
