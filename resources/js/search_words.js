/*
| What a search can go on with where somebody types it: the fields of its grammar, and the values of those that take one of a few
| words. What the grammar is says the page (`data-grammar`, `app/web/palette/search_grammar.ts`).
*/

/** @typedef {{ heads: string[], label: string, values: string[], isList: boolean }} Field */
/** @typedef {{ text: string, label: string }} Offer `label`: what a field is; empty for values */

/** A condition from its beginning: sign, field and operator, value. A value in quotes goes to the next quote. */
const CONDITION = /(-?)((?:[a-z_]+(?:<=|>=|[:<>=]))?)("(?:[^"\\]|\\[^])*"?|\S*)/iy

/**
 * What can stand in place of the word before the caret; nothing within words, and within quotes.
 *
 * @param {Field[]} fields
 * @param {string} text
 * @param {number} caret
 * @param {boolean} isAsked fields are offered before a word is begun
 * @returns {{ from: number, offers: Offer[] }} `from`: where that word begins
 */
export function offersAt(fields, text, caret, isAsked = false) {
  const from = beginOf(text.slice(0, caret))
  const word = text.slice(from ?? caret, caret)
  const isInside = from === null || /^\S/.test(text.slice(caret))
  if (isInside || (word === '' && !isAsked)) return { from: caret, offers: [] }
  const sign = word.startsWith('-') ? '-' : ''
  const typed = word.slice(sign.length).toLowerCase()
  const offers = offersFor(fields, typed).map((one) => ({ ...one, text: sign + one.text }))
  return { from, offers }
}

/** Where the condition begins that a text ends with; null where that is quoted. */
function beginOf(/** @type {string} */ text) {
  let at = 0
  for (;;) {
    at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0
    CONDITION.lastIndex = at
    const [whole = '', , , value = ''] = CONDITION.exec(text) ?? []
    if (at + whole.length >= text.length) return value.startsWith('"') ? null : at
    at += whole.length
  }
}

/** @returns {Offer[]} */
function offersFor(/** @type {Field[]} */ fields, /** @type {string} */ typed) {
  for (const { heads, values, isList } of fields) {
    const head = heads.find((one) => typed.startsWith(one))
    if (head !== undefined) {
      const begun = typed.slice(head.length)
      return valuesFor(values, begun, isList).map((value) => ({ text: head + value, label: '' }))
    }
  }
  return fields.flatMap(({ heads, label }) =>
    heads.filter((head) => head.startsWith(typed)).map((text) => ({ text, label }))
  )
}

/** Values that go on with what is typed, after those that stand before it in a list. */
function valuesFor(
  /** @type {string[]} */ values,
  /** @type {string} */ typed,
  /** @type {boolean} */ isList
) {
  const words = isList ? typed.split(',') : [typed]
  const begun = words.pop() ?? ''
  const before = words.map((word) => `${word.toUpperCase()},`).join('')
  return values
    .filter((value) => {
      const word = value.toLowerCase()
      return word.startsWith(begun) && word !== begun && !words.includes(word)
    })
    .map((value) => before + value)
}
