/*
| Rows of the editor: what they show, and what can be done with them.
*/
import { element } from '../html.js'
import { showRow } from './record_row.js'

/** @typedef {import('./draft.js').RecordData} RecordData */

export class EditorRows {
  #buttons
  #texts
  #changed

  /**
   * @param {HTMLTemplateElement | null} buttons all that there are
   * @param {import('./record_row.js').Texts} texts
   * @param {() => void} changed called when a row has other buttons
   */
  constructor(buttons, texts, changed) {
    this.#buttons = buttons
    this.#texts = texts
    this.#changed = changed
  }

  /** A row for a record that is not there yet. */
  make(/** @type {string} */ key) {
    const row = /** @type {HTMLTableRowElement} */ (element('tr', { 'data-new': key }))
    row.append(element('td', { class: 'tight row-actions' }))
    return row
  }

  /** A row as it is at the server. */
  restore(/** @type {HTMLTableRowElement} */ row, /** @type {RecordData} */ data) {
    row.className = ''
    showRow(row, data, this.#texts)
    this.offer(row, data, data.type === 'SOA' ? ['edit'] : ['edit', 'copy', 'delete'])
  }

  /** A row as a change makes it. */
  mark(
    /** @type {HTMLTableRowElement} */ row,
    /** @type {import('./draft.js').Change} */ { after, action, ptr }
  ) {
    showRow(row, after, this.#texts, ptr ? [this.#texts.with_ptr] : [])
    row.className = action === 'delete' ? 'doomed' : 'dirty'
    const copy = after.type === 'SOA' ? [] : ['copy']
    this.offer(row, after, action === 'delete' ? ['revert'] : ['edit', ...copy, 'revert'])
  }

  /**
   * Puts the buttons of some deeds into a row, each named after the record.
   * @param {HTMLTableRowElement} row
   * @param {RecordData} record
   * @param {string[]} deeds
   */
  offer(row, { name, type }, deeds) {
    const buttons = deeds.flatMap((deed) => {
      const made = this.#buttons?.content.querySelector(`[data-act="${deed}"]`)?.cloneNode(true)
      if (!(made instanceof HTMLElement)) return []
      const label = (this.#texts[`${deed}_named`] ?? '')
        .replace('{name}', name || '@')
        .replace('{type}', type)
      made.setAttribute('aria-label', label)
      made.title = this.#texts[deed] ?? ''
      // Apart from one another as those of the server are.
      return [made, ' ']
    })
    const place = row.querySelector('.row-actions')
    place?.replaceChildren(...buttons)
    this.#changed()
  }
}
