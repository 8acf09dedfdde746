/*
| Fields and texts of a row in edit mode.
*/
import { element } from '../html.js'

/** Approximate characters per line, for browsers without `field-sizing`. */
const LINE_LENGTH = 60

/** Attributes of English text in a page of another language. */
export const ENGLISH = { lang: 'en', dir: 'ltr' }

export function inEnglish(/** @type {string} */ text) {
  return element('span', ENGLISH, [text])
}

/** DNS data, always shown from left to right. */
export function inLatin(/** @type {string} */ text) {
  return element('bdi', { dir: 'ltr' }, [text])
}

/** A text area for long content, with a matching number of lines. */
export function area(/** @type {string} */ label, /** @type {string} */ value) {
  const field = /** @type {HTMLTextAreaElement} */ (
    element('textarea', {
      'class': 'input grows',
      'aria-label': label,
      'rows': String(Math.ceil(value.length / LINE_LENGTH) || 1),
      'spellcheck': 'false',
      'autocapitalize': 'none',
      'autocomplete': 'off',
    })
  )
  field.value = value
  return field
}

export function checkbox(/** @type {boolean} */ checked) {
  const field = /** @type {HTMLInputElement} */ (
    element('input', { type: 'checkbox', class: 'tick' })
  )
  field.checked = checked
  return field
}

/**
 * @param {string} label
 * @param {string} value
 * @param {Record<string, string>} attributes
 */
export function input(label, value, attributes = {}) {
  const field = /** @type {HTMLInputElement} */ (
    element('input', {
      'class': 'input',
      'aria-label': label,
      'spellcheck': 'false',
      'autocapitalize': 'none',
      'autocomplete': 'off',
      ...attributes,
    })
  )
  field.value = value
  return field
}
