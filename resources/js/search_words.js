/*
| Suggestions of the search grammar: fields, and values of fields with a fixed set of words. The page contains the grammar
| (`data-grammar`, `app/web/palette/search_grammar.ts`).
*/

/** @typedef {{ heads: string[], label: string, values: string[], isList: boolean }} Field */
/** `label` describes a field; it is empty for a value. @typedef {{ text: string, label: string }} Offer */

/** A condition: sign, field with operator, value. A quoted value ends at the next quote. */
const CONDITION = /(-?)((?:[a-z_]+(?:<=|>=|[:<>=]))?)("(?:[^"\\]|\\[^])*"?|\S*)/iy

/**
 * Suggestions for the word before the caret. None inside a word or inside quotes.
 *
 * @param {Field[]} fields
 * @param {string} text
 * @param {number} caret
 * @param {boolean} isListRequested also suggests fields before a word is started
 * @returns {{ from: number, offers: Offer[] }} `from`: start of the word
 */
export function offersAt(fields, text, caret, isListRequested = false) {
  const from = startOfCondition(text.slice(0, caret))
  const word = text.slice(from ?? caret, caret)
  const isInside = from === null || /^\S/.test(text.slice(caret))
  if (isInside || (word === '' && !isListRequested)) return { from: caret, offers: [] }
  const sign = word.startsWith('-') ? '-' : ''
  const typed = word.slice(sign.length).toLowerCase()
  const offers = offersFor(fields, typed).map((offer) => ({ ...offer, text: sign + offer.text }))
  return { from, offers }
}

/** Start of the last condition in the text; null inside quotes. */
function startOfCondition(/** @type {string} */ text) {
  let position = 0
  for (;;) {
    position += /^\s*/.exec(text.slice(position))?.[0].length ?? 0
    CONDITION.lastIndex = position
    const [whole = '', , , value = ''] = CONDITION.exec(text) ?? []
    if (position + whole.length >= text.length) return value.startsWith('"') ? null : position
    position += whole.length
  }
}

/** @returns {Offer[]} */
function offersFor(/** @type {Field[]} */ fields, /** @type {string} */ typed) {
  for (const { heads, values, isList } of fields) {
    const head = heads.find((start) => typed.startsWith(start))
    if (head !== undefined) {
      const prefix = typed.slice(head.length)
      return valuesFor(values, prefix, isList).map((value) => ({ text: head + value, label: '' }))
    }
  }
  return fields.flatMap(({ heads, label }) =>
    heads.filter((head) => head.startsWith(typed)).map((text) => ({ text, label }))
  )
}

/** Values that start with the typed text. In a list, the values before the last comma stay. */
function valuesFor(
  /** @type {string[]} */ values,
  /** @type {string} */ typed,
  /** @type {boolean} */ isList
) {
  const words = isList ? typed.split(',') : [typed]
  const prefix = words.pop() ?? ''
  const before = words.map((word) => `${word.toUpperCase()},`).join('')
  return values
    .filter((value) => {
      const word = value.toLowerCase()
      return word.startsWith(prefix) && word !== prefix && !words.includes(word)
    })
    .map((value) => before + value)
}
