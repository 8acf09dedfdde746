/** Small letters of other scripts that look like a Latin one, in one of their forms (as of UTS 39). */
const LOOK_ALIKES: Record<string, string> = {
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

const LATIN = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([letter, others]) =>
    [...others].map((other): [string, string] => [other, letter])
  )
)

const LONGEST = 255

/**
 * What a user name looks like: names of one skeleton are taken for each other. Case, compatible forms, characters that
 * nobody sees, and letters of other scripts that look Latin make no difference.
 */
export function nameSkeleton(name: string): string {
  const letters = name
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{C}]/gu, '')
    .replaceAll(/\s+/gu, ' ')
  return [...letters]
    .map((letter) => LATIN.get(letter) ?? letter)
    .join('')
    .slice(0, LONGEST)
}

/** Who acts in journal and audit log without being a user. */
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

const RESERVED = new Set(SYSTEM_ACTORS.map(nameSkeleton))

/** Whether a name looks like one by which the product itself acts. */
export function isReservedName(name: string): boolean {
  return RESERVED.has(nameSkeleton(name))
}
