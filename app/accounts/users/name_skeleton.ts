/** Lower-case letters of other scripts that resemble a Latin letter (UTS 39). */
const HOMOGLYPHS: Record<string, string> = {
  'a': 'аαɑ',
  'b': 'вβь',
  'c': 'сϲ',
  'd': 'ԁ',
  'e': 'еεҽ',
  'g': 'ɡ',
  'h': 'һнη',
  'i': 'іιıӏ',
  'j': 'јϳ',
  'k': 'кκ',
  'm': 'мμ',
  'o': 'оοօ',
  'p': 'рρ',
  'q': 'ԛ',
  's': 'ѕꜱ',
  't': 'тτ',
  'u': 'υս',
  'v': 'ѵν',
  'w': 'ԝω',
  'x': 'хχ',
  'y': 'уγү',
  '-': '‐‑‒–—−',
}

const LATIN_LETTER_OF = new Map(
  Object.entries(HOMOGLYPHS).flatMap(([letter, others]) =>
    [...others].map((other): [string, string] => [other, letter])
  )
)

const MAX_SKELETON_CHARACTERS = 255

/**
 * Returns the skeleton of a user name: names with the same skeleton look alike. Ignores case,
 * compatibility forms, invisible characters and confusable letters.
 */
export function nameSkeleton(name: string): string {
  const letters = name
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{C}]/gu, '')
    .replaceAll(/\s+/gu, ' ')
  return [...letters]
    .map((letter) => LATIN_LETTER_OF.get(letter) ?? letter)
    .join('')
    .slice(0, MAX_SKELETON_CHARACTERS)
}

/** Names of system actors in journal and audit log. */
const SYSTEM_ACTORS = [
  'change-requests:sweep',
  'job',
  'maintainer',
  'nobody',
  'external',
  'review',
  'scheduler',
  'setup',
  'system',
  'zonewright',
]

const RESERVED_SKELETONS = new Set(SYSTEM_ACTORS.map(nameSkeleton))

/** Returns whether a name resembles that of a system actor. */
export function isReservedName(name: string): boolean {
  return RESERVED_SKELETONS.has(nameSkeleton(name))
}
