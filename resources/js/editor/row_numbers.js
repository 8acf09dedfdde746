/*
| TTL and priority of a row in edit mode. An invalid number is reported at once and stays as typed.
*/
import { element } from '../html.js'
import { shownField } from './record_row.js'
import { seconds } from './ttl.js'

/** @typedef {import('./draft.js').RecordData} RecordData */
/** @typedef {'ttl' | 'priority'} NumberField */

const FIELDS = /** @type {const} */ (['ttl', 'priority'])
const MAX_PRIORITY = 65_535

let rowCount = 0

export class RowNumbers {
  #stored
  #inputs
  #texts
  /** Element with the messages about both fields. */
  messages = element('div', { class: 'row-check', role: 'status', id: `row-numbers-${++rowCount}` })

  /**
   * @param {RecordData | null} stored the record as it is at the server
   * @param {Record<NumberField, HTMLInputElement>} inputs
   * @param {import('./record_row.js').Texts} texts
   */
  constructor(stored, inputs, texts) {
    this.#stored = stored
    this.#inputs = inputs
    this.#texts = texts
    for (const field of FIELDS) inputs[field].setAttribute('aria-describedby', this.messages.id)
  }

  /** The number, or the typed text if it is invalid. An empty field returns the stored value. */
  read(/** @type {NumberField} */ field) {
    const text = this.#text(field)
    if (text === '') return this.#storedValue(field)
    return this.#parsed(field) ?? text
  }

  /** Fields with an invalid number. @returns {NumberField[]} */
  get invalid() {
    return FIELDS.filter((field) => this.#text(field) !== '' && this.#parsed(field) === null)
  }

  /** Shows invalid numbers, and stored values that an empty field leaves unchanged. */
  showMessages() {
    const { invalid } = this
    const lines = FIELDS.flatMap((field) => {
      this.#inputs[field].toggleAttribute('aria-invalid', false)
      if (invalid.includes(field)) {
        this.#inputs[field].setAttribute('aria-invalid', 'true')
        return [element('p', { class: 'problem' }, [this.#texts[`${field}_wrong`]])]
      }
      const isEmpty = this.#text(field) === '' && !this.#inputs[field].disabled
      if (!isEmpty || !this.#stored || this.#storedValue(field) === null) return []
      const storedText = shownField(this.#stored, field)
      const text = this.#texts[`${field}_stays`].replace('{value}', storedText)
      return [element('p', { class: 'hint' }, [text])]
    })
    const shown = lines.map(({ textContent }) => textContent).join()
    const before = [...this.messages.children].map(({ textContent }) => textContent).join()
    if (shown !== before) this.messages.replaceChildren(...lines)
  }

  /** Focuses the first field with an invalid number. @returns {boolean} whether there is one */
  refuse() {
    const [first] = this.invalid
    if (first === undefined) return false
    this.showMessages()
    this.#inputs[first].focus()
    return true
  }

  #text(/** @type {NumberField} */ field) {
    const { disabled, value } = this.#inputs[field]
    return disabled ? '' : value.trim()
  }

  #parsed(/** @type {NumberField} */ field) {
    const text = this.#text(field)
    if (field === 'ttl') return seconds(text)
    return /^\d{1,5}$/.test(text) && Number(text) <= MAX_PRIORITY ? Number(text) : null
  }

  /** Stored value that an empty field leaves unchanged. */
  #storedValue(/** @type {NumberField} */ field) {
    return this.#stored?.[field] ?? null
  }
}
