/*
| TTL and priority of a row that is being typed in: what is none is told at once, and kept as it was typed.
*/
import { element } from '../html.js'
import { shownField } from './record_row.js'
import { seconds } from './ttl.js'

/** @typedef {import('./draft.js').RecordData} RecordData */
/** @typedef {'ttl' | 'priority'} NumberField */

const FIELDS = /** @type {const} */ (['ttl', 'priority'])
const MAX_PRIORITY = 65_535

let rows = 0

export class RowNumbers {
  #stored
  #inputs
  #texts
  /** What is to be shown of them. */
  told = element('div', { class: 'row-check', role: 'status', id: `row-numbers-${++rows}` })

  /**
   * @param {RecordData | null} stored the record as it is at the server
   * @param {Record<NumberField, HTMLInputElement>} inputs
   * @param {import('./record_row.js').Texts} texts
   */
  constructor(stored, inputs, texts) {
    this.#stored = stored
    this.#inputs = inputs
    this.#texts = texts
    for (const field of FIELDS) inputs[field].setAttribute('aria-describedby', this.told.id)
  }

  /** A number, or what was typed in place of one; what a stored record has stays where nothing is typed. */
  read(/** @type {NumberField} */ field) {
    const text = this.#text(field)
    if (text === '') return this.#kept(field)
    return this.#parsed(field) ?? text
  }

  /** The fields that hold no number. @returns {NumberField[]} */
  get wrong() {
    return FIELDS.filter((field) => this.#text(field) !== '' && this.#parsed(field) === null)
  }

  /** Says what is wrong with them, and what stays as it is. */
  tell() {
    const { wrong } = this
    const lines = FIELDS.flatMap((field) => {
      this.#inputs[field].toggleAttribute('aria-invalid', false)
      if (wrong.includes(field)) {
        this.#inputs[field].setAttribute('aria-invalid', 'true')
        return [element('p', { class: 'problem' }, [this.#texts[`${field}_wrong`]])]
      }
      const isEmpty = this.#text(field) === '' && !this.#inputs[field].disabled
      if (!isEmpty || !this.#stored || this.#kept(field) === null) return []
      const kept = shownField(this.#stored, field)
      const text = this.#texts[`${field}_stays`].replace('{value}', kept)
      return [element('p', { class: 'hint' }, [text])]
    })
    const shown = lines.map(({ textContent }) => textContent).join()
    const before = [...this.told.children].map(({ textContent }) => textContent).join()
    if (shown !== before) this.told.replaceChildren(...lines)
  }

  /** Puts the focus into a field that holds no number. @returns {boolean} whether there is one */
  refuse() {
    const [first] = this.wrong
    if (first === undefined) return false
    this.tell()
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

  /** What the field of a stored record keeps when it is emptied. */
  #kept(/** @type {NumberField} */ field) {
    return this.#stored?.[field] ?? null
  }
}
