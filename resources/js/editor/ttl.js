const UNITS = new Map([
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
])

/** The largest TTL (RFC 2181, section 8). */
const LIMIT = 2_147_483_647

/** A TTL as people write it, as the server shows it. */
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
 * Seconds of a TTL as people write it and the server reads it; null for what is none.
 * @returns {number | null}
 */
export function seconds(/** @type {string} */ text) {
  const trimmed = text.trim().toLowerCase()
  const parts = /^\d+$/.test(trimmed) ? [`${trimmed}s`] : (trimmed.match(/\d+[wdhms]/g) ?? [])
  const letters = new Set(parts.map((part) => part.slice(-1)))
  const isRead = parts.join('') === trimmed || parts.join('') === `${trimmed}s`
  if (parts.length === 0 || !isRead || letters.size < parts.length) return null
  const sum = parts.reduce(
    (before, part) => before + Number(part.slice(0, -1)) * (UNITS.get(part.slice(-1)) ?? 0),
    0
  )
  return sum <= LIMIT ? sum : null
}
