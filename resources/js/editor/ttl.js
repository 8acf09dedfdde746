const UNITS = new Map([
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
])

/** The largest TTL (RFC 2181, section 8). */
const MAX_TTL_SECONDS = 2_147_483_647

/** Formats a TTL in seconds with units, as the server does: 5400 is `1h30m`. */
export function ttlText(/** @type {number} */ value) {
  if (!(value > 0)) return String(value)
  let rest = value
  let text = ''
  for (const [letter, size] of UNITS) {
    const count = Math.floor(rest / size)
    if (count > 0) text += `${count}${letter}`
    rest -= count * size
  }
  return text
}

/**
 * Parses a TTL with or without units, as the server does.
 * @returns {number | null} seconds; null if the text is invalid
 */
export function seconds(/** @type {string} */ text) {
  const trimmed = text.trim().toLowerCase()
  const parts = /^\d+$/.test(trimmed) ? [`${trimmed}s`] : (trimmed.match(/\d+[wdhms]/g) ?? [])
  const letters = new Set(parts.map((part) => part.slice(-1)))
  const isComplete = parts.join('') === trimmed || parts.join('') === `${trimmed}s`
  if (parts.length === 0 || !isComplete || letters.size < parts.length) return null
  const sum = parts.reduce(
    (before, part) => before + Number(part.slice(0, -1)) * (UNITS.get(part.slice(-1)) ?? 0),
    0
  )
  return sum <= MAX_TTL_SECONDS ? sum : null
}
