/** Ids of one block. Rows of a block share most of their trigrams. */
export const BLOCK = 64

/** First numbers of words, and of trigrams of separate columns, above all trigrams of three bytes. */
const WORDS = 1 << 24
const SEPARATE_GRAM_BIT = 1 << 25

/** Maximum number of trigrams per lookup. More trigrams exclude few further rows. */
const MAX_TRIGRAMS = 8

/** The block of a row. */
export function blockOf(id: number): number {
  return Math.floor(id / BLOCK)
}

/**
 * The trigrams of a text in lower case: each sequence of three bytes of UTF-8, as a number of 24 bits. A text has all trigrams of
 * each text that it contains. Empty for a text of less than three bytes.
 */
export function trigramsOf(text: string): Set<number> {
  const grams = gramsOf(text.toLowerCase())
  return isFoldedInWays(text)
    ? grams.union(gramsOf(text.replaceAll('\u0130', 'i').toLowerCase()))
    : grams
}

function gramsOf(folded: string): Set<number> {
  const bytes = Buffer.from(folded)
  const grams = new Set<number>()
  for (let i = 0; i + 2 < bytes.length; i++) {
    grams.add((bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2])
  }
  return grams
}

/**
 * Whether databases disagree on the lower case of a text: MariaDB maps U+0130 to one character, and final sigma differs. A search
 * for such a text does not use trigrams.
 */
export function isFoldedInWays(text: string): boolean {
  return /[\u0130\u03a3\u03c3\u03c2]/.test(text)
}

/** The number of a whole value in lower case. Collisions are rare. */
export function wordGram(word: string): number {
  let hash = 0
  for (const byte of Buffer.from(word.toLowerCase())) {
    hash = (hash * 31 + byte) & 0xffff
  }
  return WORDS + hash
}

/** The number of a trigram of a separate column. */
export function separateGram(trigram: number): number {
  return SEPARATE_GRAM_BIT + trigram
}

/** Whether a text has less than three characters, too few for a trigram. */
export function isShort(text: string): boolean {
  return [...text].length < 3
}

/** The trigrams of a lookup of rows that contain all of these texts; empty if all are short. */
export function lookupTrigrams(texts: readonly string[]): number[] {
  const grams = [
    ...new Set(texts.flatMap((text) => (isShort(text) ? [] : [...gramsOf(text.toLowerCase())]))),
  ]
  // Evenly spread: neighbours overlap, and occur together.
  const step = Math.max(1, grams.length / MAX_TRIGRAMS)
  return Array.from(
    { length: Math.min(grams.length, MAX_TRIGRAMS) },
    (_, i) => grams[Math.floor(i * step)]
  )
}
