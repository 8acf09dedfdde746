import { domainToASCII } from 'node:url'
import type { Random } from '#tests/support/random'

/** Texts that sort and match in different ways: case, numbers, wildcards, quotes, other scripts, nothing. */
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

/** Parts of these texts, and texts that none has. */
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

/** A text as names hold it: labels of other letters than ASCII's as punycode. A text that no name can hold stays. */
export function inPunycode(text: string): string {
  return /^[ -~]*$/.test(text) ? text : domainToASCII(text) || text
}

/** One of the texts. */
export function textOf(random: Random): string {
  return random.pick(TEXTS)
}

/** One of a few moments of the past, so that many are equal. */
export function timestampOf(random: Random): string {
  return `2020-01-0${1 + random.below(4)}T10:00:00.000Z`
}

/** How the database at hand folds texts: MariaDB makes U+0130 one character, all others two. */
export function foldOf(dialect: string): (text: string) => string {
  return dialect === 'mysql'
    ? (text) => text.replaceAll('İ', 'i').toLowerCase()
    : (text) => text.toLowerCase()
}
