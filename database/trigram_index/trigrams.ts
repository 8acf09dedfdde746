/** Ids that lie side by side share their trigrams: a block is so many of them. */
export const BLOCK = 64

/** Beyond all trigrams of three bytes, and beyond all words. */
const WORDS = 1 << 24
const APART = 1 << 25

/** The most trigrams by which something is looked up; more of them hardly narrow any further. */
const MAX_TRIGRAMS = 8

/** The block that a row is in. */
export function blockOf(id: number): number {
  return Math.floor(id / BLOCK)
}

/**
 * The trigrams of a text, whatever its case: each three bytes in a row of its UTF-8 form, as one number of 24
 * bits. A text that contains another has all that the other is looked up by. Empty for a text of less than three bytes.
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
 * Whether databases do not agree on the lower case of a text: MariaDB makes U+0130 one character, and a sigma at the end of
 * a word is another one for some. Texts that hold such letters are not looked up by trigrams; those that are found may.
 */
export function isFoldedInWays(text: string): boolean {
  return /[\u0130\u03a3\u03c3\u03c2]/.test(text)
}

/** What stands among the trigrams for a whole value, whatever its case; few values have the same number. */
export function wordGram(word: string): number {
  let hash = 0
  for (const byte of Buffer.from(word.toLowerCase())) {
    hash = (hash * 31 + byte) & 0xffff
  }
  return WORDS + hash
}

/** What stands for a trigram of a text that is looked up apart from the others of its row. */
export function apartGram(trigram: number): number {
  return APART + trigram
}

/** Whether a text is too short for its trigrams to narrow anything: less than three characters. */
export function isShort(text: string): boolean {
  return [...text].length < 3
}

/** The trigrams by which rows that contain all of these texts are looked up; empty where all are short. */
export function lookupTrigrams(texts: readonly string[]): number[] {
  const grams = [
    ...new Set(texts.flatMap((text) => (isShort(text) ? [] : [...gramsOf(text.toLowerCase())]))),
  ]
  // Spread over the texts: neighbours overlap, and come together anyway.
  const step = Math.max(1, grams.length / MAX_TRIGRAMS)
  return Array.from(
    { length: Math.min(grams.length, MAX_TRIGRAMS) },
    (_, i) => grams[Math.floor(i * step)]
  )
}
