/*
| Rows of the editor: their cells and buttons.
*/
import { element } from '../html.js'
import { showRow } from './record_row.js'

/** @typedef {import('./draft.js').RecordData} RecordData */

export class EditorRows {
  #buttons
  #texts
  #changed

  /**
   * @param {HTMLTemplateElement | null} buttons template with all buttons
   * @param {import('./record_row.js').Texts} texts
   * @param {() => void} changed called when the buttons of a row change
   */
  constructor(buttons, texts, changed) {
    this.#buttons = buttons
    this.#texts = texts
    this.#changed = changed
  }

  /** Creates a row for a new record. */
  create(/** @type {string} */ key) {
    const row = /** @type {HTMLTableRowElement} */ (element('tr', { 'data-new': key }))
    row.append(element('td', { class: 'tight row-actions' }))
    return row
  }

  /** Shows a row with the stored data. */
  restore(/** @type {HTMLTableRowElement} */ row, /** @type {RecordData} */ data) {
    row.className = ''
    showRow(row, data, this.#texts)
    this.showButtons(row, data, data.type === 'SOA' ? ['edit'] : ['edit', 'copy', 'delete'])
  }

  /** Shows a row with a pending change. */
  showChange(
    /** @type {HTMLTableRowElement} */ row,
    /** @type {import('./draft.js').Change} */ { after, action, ptr }
  ) {
    showRow(row, after, this.#texts, ptr ? [this.#texts.with_ptr] : [])
    row.className = action === 'delete' ? 'doomed' : 'dirty'
    const copy = after.type === 'SOA' ? [] : ['copy']
    this.showButtons(row, after, action === 'delete' ? ['revert'] : ['edit', ...copy, 'revert'])
  }

  /**
   * Puts the buttons of the given actions into a row. Their labels contain the name and type of the record.
   * @param {HTMLTableRowElement} row
   * @param {RecordData} record
   * @param {string[]} actions
   */
  showButtons(row, { name, type }, actions) {
    const buttons = actions.flatMap((action) => {
      const button = this.#buttons?.content.querySelector(`[data-act="${action}"]`)?.cloneNode(true)
      if (!(button instanceof HTMLElement)) return []
      const label = (this.#texts[`${action}_named`] ?? '')
        .replace('{name}', name || '@')
        .replace('{type}', type)
      button.setAttribute('aria-label', label)
      button.title = this.#texts[action] ?? ''
      // Whitespace between the buttons, as in rows that the server renders.
      return [button, ' ']
    })
    const container = row.querySelector('.row-actions')
    container?.replaceChildren(...buttons)
    this.#changed()
  }
}
