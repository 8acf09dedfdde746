/*
| A row of the editor as it is, or as it will be.
*/
import { element } from '../html.js'
import { ttlText } from './ttl.js'

/** @typedef {import('./draft.js').RecordData} RecordData */
/** @typedef {Record<string, string>} Texts */

/** Cells in the order of the columns: the field, and how it is shown. */
export const CELLS = /** @type {const} */ ([
  ['name', 'value'],
  ['type', 'value tight'],
  ['ttl', 'tight number'],
  ['priority', 'tight number'],
  ['content', 'value'],
])

/**
 * Fills a row with what a record is or will be.
 * @param {HTMLTableRowElement} row
 * @param {RecordData} data
 * @param {Texts} texts
 * @param {string[]} badges said beside the content
 */
export function showRow(row, data, texts, badges = []) {
  const cells = CELLS.map(([field, kind]) => {
    const cell = element('td', { 'class': kind, 'data-label': texts[field] }, [
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

/** A field of a record as it is read and typed. */
export function shownField(
  /** @type {RecordData} */ data,
  /** @type {'name' | 'type' | 'ttl' | 'priority' | 'content'} */ field
) {
  const value = data[field]
  if (value === null) return ''
  return field === 'ttl' && typeof value === 'number' ? ttlText(value) : String(value)
}

/** The last cell, of what can be done, stays. */
export function replaceCells(
  /** @type {HTMLTableRowElement} */ row,
  /** @type {HTMLElement[]} */ cells
) {
  const last = row.querySelector('.row-actions')
  row.replaceChildren(...cells, ...(last ? [last] : []))
}

/** @returns {RecordData | null} null for a row that is not at the server yet */
export function dataOf(/** @type {Element} */ row) {
  const text = row instanceof HTMLElement ? row.dataset.record : undefined
  return text === undefined ? null : JSON.parse(text)
}

export function keyOf(/** @type {HTMLElement} */ row) {
  return dataOf(row)?.id ?? row.dataset.new ?? ''
}
