/*
| What a row that is typed in is made of: fields, and words beside them.
*/
import { element } from '../html.js'

/** Characters of a line, about, where the browser does not let a field grow by itself. */
const LINE = 60

/** What is said in English in a page of another language. */
export const ENGLISH = { lang: 'en', dir: 'ltr' }

export function inEnglish(/** @type {string} */ text) {
  return element('span', ENGLISH, [text])
}

/** Contents of DNS, which read from left to right. */
export function inLatin(/** @type {string} */ text) {
  return element('bdi', { dir: 'ltr' }, [text])
}

/** A field of a content that may be long: it has as many lines as it takes. */
export function area(/** @type {string} */ label, /** @type {string} */ value) {
  const made = /** @type {HTMLTextAreaElement} */ (
    element('textarea', {
      'class': 'input grows',
      'aria-label': label,
      'rows': String(Math.ceil(value.length / LINE) || 1),
      'spellcheck': 'false',
      'autocapitalize': 'none',
      'autocomplete': 'off',
    })
  )
  made.value = value
  return made
}

export function tick(/** @type {boolean} */ checked) {
  const made = /** @type {HTMLInputElement} */ (
    element('input', { type: 'checkbox', class: 'tick' })
  )
  made.checked = checked
  return made
}

/**
 * @param {string} label
 * @param {string} value
 * @param {Record<string, string>} more
 */
export function input(label, value, more = {}) {
  const made = /** @type {HTMLInputElement} */ (
    element('input', {
      'class': 'input',
      'aria-label': label,
      'spellcheck': 'false',
      'autocapitalize': 'none',
      'autocomplete': 'off',
      ...more,
    })
  )
  made.value = value
  return made
}
