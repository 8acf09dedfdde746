const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#x27;',
  '<': '&lt;',
  '>': '&gt;',
}

/** Allowed values of an attribute; true is an attribute without a value. Attributes with other values are omitted. */
export type AttributeValue = string | number | boolean | null | undefined

/**
 * Attributes of an element, their values escaped: templates write them so, and never by `toAttrs` or `html.attrs` of the
 * template engine, which do not escape.
 *
 * @param values  by name; of a list, the parts that are not empty, with blanks between
 * @param without names that are left out
 */
export function attributesText(
  values: Readonly<Record<string, AttributeValue | AttributeValue[]>>,
  without: readonly string[] = []
): string {
  return Object.entries(values)
    .filter(([name]) => !without.includes(name) && /^[a-z][a-z-]*$/.test(name))
    .flatMap(([name, value]) => {
      const one = Array.isArray(value) ? value.filter(Boolean).join(' ') : value
      if (one === undefined || one === null || one === false) {
        return []
      }
      return one === true ? [name] : [`${name}="${escaped(String(one))}"`]
    })
    .join(' ')
}

function escaped(text: string): string {
  return text.replaceAll(/[&"'<>]/g, (character) => ESCAPES[character])
}
