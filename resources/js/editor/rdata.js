/** Content of records as the fields that it is made of, for types that declare several. */

/**
 * The values of so many fields; the last one takes what is left. Blanks within quotes part nothing.
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

/** The content of these values, in one line; those that are missing at the end are left out. */
export function contentOf(/** @type {string[]} */ parts) {
  return parts
    .map((part) => part.replaceAll(/\s*[\r\n]\s*/g, ' ').trim())
    .join(' ')
    .trim()
}
