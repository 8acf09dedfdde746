/** Splits record content into fields, for types that declare several fields. */

/**
 * Splits content into `count` values. The last value gets the rest. Blanks inside quotes do not separate values.
 * @param {string} content
 * @param {number} count
 */
export function partsOf(content, count) {
  const parts = []
  let rest = content.trim()
  while (parts.length < count - 1 && rest !== '') {
    const [part] = rest.match(/^"(?:[^"\\]|\\.)*"|^\S+/) ?? [rest]
    parts.push(part)
    rest = rest.slice(part.length).trimStart()
  }
  if (rest !== '') parts.push(rest)
  return [...parts, ...Array.from({ length: count - parts.length }, () => '')]
}

/** Joins values to content in one line, without trailing blanks. */
export function contentOf(/** @type {string[]} */ parts) {
  return parts
    .map((part) => part.replaceAll(/\s*[\r\n]\s*/g, ' ').trim())
    .join(' ')
    .trim()
}
