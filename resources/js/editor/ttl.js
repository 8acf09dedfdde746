const UNITS = new Map([
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
])

/** A TTL as people write it, as the server shows it. */
export function ttlText(/** @type {number} */ value) {
  let rest = value
  let text = ''
  for (const [letter, size] of UNITS) {
    const count = Math.floor(rest / size)
    if (count > 0) text += `${count}${letter}`
    rest -= count * size
  }
  return text || String(value)
}

/** Seconds of a TTL as people write it; what is none is left for the server to refuse. */
export function seconds(/** @type {string} */ text) {
  const trimmed = text.trim().toLowerCase()
  if (trimmed === '') return null
  if (/^\d+$/.test(trimmed)) return Number(trimmed)
  const parts = trimmed.match(/\d+[wdhms]/g) ?? []
  if (parts.join('') !== trimmed) return -1
  return parts.reduce(
    (sum, part) => sum + Number(part.slice(0, -1)) * (UNITS.get(part.slice(-1)) ?? 0),
    0
  )
}
