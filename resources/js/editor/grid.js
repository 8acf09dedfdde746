/*
| Keyboard navigation in a table by the ARIA grid pattern: one tab stop for the table, arrow keys inside. The stops of a row
| are its cells. In the last cell they are the buttons.
*/
import { CELLS } from './record_row.js'

const PAGE_ROWS = 10

/** @typedef {'edit' | 'delete' | 'copy' | 'revert' | 'add'} RowAction */

/** Keys for actions on the focused row. @type {Record<string, RowAction>} */
const ACTION_KEYS = {
  Enter: 'edit',
  F2: 'edit',
  Delete: 'delete',
  d: 'copy',
  u: 'revert',
  n: 'add',
}

export class Grid {
  #table
  #perform

  /**
   * @param {HTMLTableElement} table
   * @param {(action: RowAction, row: HTMLTableRowElement, field: string) => void} perform
   */
  constructor(table, perform) {
    this.#table = table
    this.#perform = perform
    table.setAttribute('role', 'grid')
    table.addEventListener('keydown', (event) => this.#onKey(event))
    table.addEventListener('focusin', ({ target }) => {
      const stop = target instanceof HTMLElement && target.closest('[data-stop]')
      if (stop instanceof HTMLElement) this.#setTabStop(stop)
    })
    this.refresh()
  }

  get #rows() {
    return [...(this.#table.tBodies[0]?.rows ?? [])]
  }

  /** Must be called after rows were added, changed or removed. */
  refresh() {
    const from = Number(this.#table.dataset.from ?? 1)
    const added = this.#rows.filter((row) => row.dataset.new !== undefined).length
    const total = Number(this.#table.dataset.total ?? this.#rows.length)
    // -1 stands for an unknown total (WAI-ARIA, aria-rowcount).
    this.#table.setAttribute('aria-rowcount', String(total < 0 ? -1 : total + added + 1))
    this.#rows.forEach((row, index) => {
      row.setAttribute('aria-rowindex', String(from + index + 1))
      for (const stop of stopsOf(row)) {
        stop.dataset.stop = ''
        if (!stop.hasAttribute('tabindex') || stop.tabIndex !== 0) stop.tabIndex = -1
      }
    })
    const tabStops = this.#table.querySelectorAll('tbody [data-stop][tabindex="0"]')
    const current = tabStops[0] ?? this.#table.querySelector('tbody [data-stop]')
    if (current instanceof HTMLElement) this.#setTabStop(current)
  }

  /** Focuses the cell of `field` in a row. */
  focus(/** @type {HTMLTableRowElement} */ row, /** @type {string} */ field = 'name') {
    const index = CELLS.findIndex(([name]) => name === field)
    this.#focusStop(row, Math.max(index, 0))
  }

  /** Focuses the last focused cell, or the first one. */
  enter() {
    const stop = this.#table.querySelector('tbody [data-stop][tabindex="0"]')
    if (stop instanceof HTMLElement) stop.focus()
  }

  /** Moves the focus to a neighbour of a row that will be removed. */
  focusNeighbour(/** @type {HTMLTableRowElement} */ row) {
    const next = row.nextElementSibling ?? row.previousElementSibling
    if (next instanceof HTMLTableRowElement) this.focus(next)
  }

  #setTabStop(/** @type {HTMLElement} */ stop) {
    for (const other of this.#table.querySelectorAll('tbody [data-stop][tabindex="0"]')) {
      if (other !== stop && other instanceof HTMLElement) other.tabIndex = -1
    }
    stop.tabIndex = 0
  }

  #onKey(/** @type {KeyboardEvent} */ event) {
    const stop = event.target
    if (!(stop instanceof HTMLElement) || stop.dataset.stop === undefined) return
    const row = stop.closest('tr')
    if (!row || event.altKey || event.metaKey) return
    const stopIndex = stopsOf(row).indexOf(stop)
    const isHandled = event.ctrlKey
      ? this.#jump(event.key, row)
      : this.#move(event.key, row, stopIndex) || this.#act(event, row, stopIndex)
    if (isHandled) event.preventDefault()
  }

  #move(
    /** @type {string} */ key,
    /** @type {HTMLTableRowElement} */ row,
    /** @type {number} */ stopIndex
  ) {
    const isRightToLeft = getComputedStyle(row).direction === 'rtl'
    const rows = this.#rows
    const rowIndex = rows.indexOf(row)
    const rowAt = (/** @type {number} */ index) =>
      rows[Math.min(Math.max(index, 0), rows.length - 1)]
    switch (key) {
      case 'ArrowDown':
      case 'j':
        return this.#focusStop(rowAt(rowIndex + 1), stopIndex)
      case 'ArrowUp':
      case 'k':
        return this.#focusStop(rowAt(rowIndex - 1), stopIndex)
      case 'PageDown':
        return this.#focusStop(rowAt(rowIndex + PAGE_ROWS), stopIndex)
      case 'PageUp':
        return this.#focusStop(rowAt(rowIndex - PAGE_ROWS), stopIndex)
      case 'ArrowRight':
        return this.#focusStop(row, isRightToLeft ? stopIndex - 1 : stopIndex + 1)
      case 'ArrowLeft':
        return this.#focusStop(row, isRightToLeft ? stopIndex + 1 : stopIndex - 1)
      case 'Home':
        return this.#focusStop(row, 0)
      case 'End':
        return this.#focusStop(row, Infinity)
      default:
        return false
    }
  }

  #jump(/** @type {string} */ key, /** @type {HTMLTableRowElement} */ row) {
    const rows = this.#rows
    if (key === 'Home') return this.#focusStop(rows[0] ?? row, 0)
    if (key === 'End') return this.#focusStop(rows.at(-1) ?? row, Infinity)
    return false
  }

  #focusStop(/** @type {HTMLTableRowElement} */ row, /** @type {number} */ index) {
    const stops = stopsOf(row)
    // A row in edit mode has form fields instead of stops.
    const target =
      stops[Math.min(Math.max(index, 0), stops.length - 1)] ?? row.querySelector('input, select')
    if (target instanceof HTMLElement) target.focus()
    return true
  }

  #act(
    /** @type {KeyboardEvent} */ { key, target },
    /** @type {HTMLTableRowElement} */ row,
    /** @type {number} */ stopIndex
  ) {
    const action = ACTION_KEYS[key]
    // The browser handles Enter on a button.
    const isButton = !(target instanceof HTMLTableCellElement)
    if (!action || (isButton && key === 'Enter')) return false
    this.#perform(action, row, CELLS[stopIndex]?.[0] ?? 'content')
    return true
  }
}

/** @returns {HTMLElement[]} */
function stopsOf(/** @type {HTMLTableRowElement} */ row) {
  if (row.classList.contains('editing')) return []
  return [...row.cells].flatMap((cell) =>
    cell.classList.contains('row-actions')
      ? /** @type {HTMLElement[]} */ ([...cell.querySelectorAll('a, button')])
      : [cell]
  )
}
