/*
| Cells of a record row: the stored or the edited record.
*/
import { element } from '../html.js'
import { ttlText } from './ttl.js'

/** @typedef {import('./draft.js').RecordData} RecordData */
/** @typedef {Record<string, string>} Texts */

/** Cells in the order of the columns: field name and CSS classes. */
export const CELLS = /** @type {const} */ ([
  ['name', 'value'],
  ['type', 'value tight'],
  ['ttl', 'tight number'],
  ['priority', 'tight number'],
  ['content', 'value'],
])

/**
 * Shows a record in a row.
 * @param {HTMLTableRowElement} row
 * @param {RecordData} data
 * @param {Texts} texts
 * @param {string[]} badges shown after the content
 */
export function showRow(row, data, texts, badges = []) {
  const cells = CELLS.map(([field, className]) => {
    const cell = element('td', { 'class': className, 'data-label': texts[field] }, [
      shownField(data, field),
    ])
    if (field === 'content') {
      for (const badge of [...(data.disabled ? [texts.disabled] : []), ...badges]) {
        cell.append(' ', element('span', { class: 'badge odd' }, [badge]))
      }
      if (data.comment) cell.append(element('p', { class: 'record-comment' }, [data.comment]))
    }
    return cell
  })
  replaceCells(row, cells)
}

/** Formats a field for display and for input. */
export function shownField(
  /** @type {RecordData} */ data,
  /** @type {'name' | 'type' | 'ttl' | 'priority' | 'content'} */ field
) {
  const value = data[field]
  if (value === null) return ''
  return field === 'ttl' && typeof value === 'number' ? ttlText(value) : String(value)
}

/** Replaces the cells of a row, except the last one with the buttons. */
export function replaceCells(
  /** @type {HTMLTableRowElement} */ row,
  /** @type {HTMLElement[]} */ cells
) {
  const last = row.querySelector('.row-actions')
  row.replaceChildren(...cells, ...(last ? [last] : []))
}

/** @returns {RecordData | null} null for a record that is not stored yet */
export function dataOf(/** @type {Element} */ row) {
  const text = row instanceof HTMLElement ? row.dataset.record : undefined
  return text === undefined ? null : JSON.parse(text)
}

export function keyOf(/** @type {HTMLElement} */ row) {
  return dataOf(row)?.id ?? row.dataset.new ?? ''
}
