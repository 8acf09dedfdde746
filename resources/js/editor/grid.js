/*
| Moves through the rows of a table by keys, as the grid pattern of ARIA has it: one stop of the page's tab order, and
| arrows within. Stops of a row are its cells, and its buttons in place of the last one.
*/
import { CELLS } from './record_row.js'

const PAGE = 10

/** @typedef {'edit' | 'delete' | 'copy' | 'revert' | 'add'} Deed */

/** Keys that do something to the row that has the focus. @type {Record<string, Deed>} */
const DEEDS = { Enter: 'edit', F2: 'edit', Delete: 'delete', d: 'copy', u: 'revert', n: 'add' }

export class Grid {
  #table
  #perform

  /**
   * @param {HTMLTableElement} table
   * @param {(deed: Deed, row: HTMLTableRowElement, field: string) => void} perform
   */
  constructor(table, perform) {
    this.#table = table
    this.#perform = perform
    table.setAttribute('role', 'grid')
    table.addEventListener('keydown', (event) => this.#onKey(event))
    table.addEventListener('focusin', ({ target }) => {
      const stop = target instanceof HTMLElement && target.closest('[data-stop]')
      if (stop instanceof HTMLElement) this.#settleOn(stop)
    })
    this.refresh()
  }

  get #rows() {
    return [...(this.#table.tBodies[0]?.rows ?? [])]
  }

  /** To be called when rows were made, changed or taken away. */
  refresh() {
    const from = Number(this.#table.dataset.from ?? 1)
    const added = this.#rows.filter((row) => row.dataset.new !== undefined).length
    const total = Number(this.#table.dataset.total ?? this.#rows.length)
    // How many there are may be unknown (WAI-ARIA, aria-rowcount).
    this.#table.setAttribute('aria-rowcount', String(total < 0 ? -1 : total + added + 1))
    this.#rows.forEach((row, index) => {
      row.setAttribute('aria-rowindex', String(from + index + 1))
      for (const stop of stopsOf(row)) {
        stop.dataset.stop = ''
        if (!stop.hasAttribute('tabindex') || stop.tabIndex !== 0) stop.tabIndex = -1
      }
    })
    const current = this.#table.querySelectorAll('tbody [data-stop][tabindex="0"]')
    const kept = current[0] ?? this.#table.querySelector('tbody [data-stop]')
    if (kept instanceof HTMLElement) this.#settleOn(kept)
  }

  /** Puts the focus on a cell of a row, of a field or the first one. */
  focus(/** @type {HTMLTableRowElement} */ row, /** @type {string} */ field = 'name') {
    const index = CELLS.findIndex(([name]) => name === field)
    this.#go(row, Math.max(index, 0))
  }

  /** Puts the focus where it was, or on the first row. */
  enter() {
    const stop = this.#table.querySelector('tbody [data-stop][tabindex="0"]')
    if (stop instanceof HTMLElement) stop.focus()
  }

  /** Puts the focus near a row that is about to go. */
  leave(/** @type {HTMLTableRowElement} */ row) {
    const next = row.nextElementSibling ?? row.previousElementSibling
    if (next instanceof HTMLTableRowElement) this.focus(next)
  }

  #settleOn(/** @type {HTMLElement} */ stop) {
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
    const at = stopsOf(row).indexOf(stop)
    const isDone = event.ctrlKey
      ? this.#jump(event.key, row)
      : this.#move(event.key, row, at) || this.#act(event, row, at)
    if (isDone) event.preventDefault()
  }

  #move(
    /** @type {string} */ key,
    /** @type {HTMLTableRowElement} */ row,
    /** @type {number} */ at
  ) {
    const isMirrored = getComputedStyle(row).direction === 'rtl'
    const rows = this.#rows
    const here = rows.indexOf(row)
    const line = (/** @type {number} */ index) =>
      rows[Math.min(Math.max(index, 0), rows.length - 1)]
    switch (key) {
      case 'ArrowDown':
      case 'j':
        return this.#go(line(here + 1), at)
      case 'ArrowUp':
      case 'k':
        return this.#go(line(here - 1), at)
      case 'PageDown':
        return this.#go(line(here + PAGE), at)
      case 'PageUp':
        return this.#go(line(here - PAGE), at)
      case 'ArrowRight':
        return this.#go(row, isMirrored ? at - 1 : at + 1)
      case 'ArrowLeft':
        return this.#go(row, isMirrored ? at + 1 : at - 1)
      case 'Home':
        return this.#go(row, 0)
      case 'End':
        return this.#go(row, Infinity)
      default:
        return false
    }
  }

  #jump(/** @type {string} */ key, /** @type {HTMLTableRowElement} */ row) {
    const rows = this.#rows
    if (key === 'Home') return this.#go(rows[0] ?? row, 0)
    if (key === 'End') return this.#go(rows.at(-1) ?? row, Infinity)
    return false
  }

  #go(/** @type {HTMLTableRowElement} */ row, /** @type {number} */ index) {
    const stops = stopsOf(row)
    // A row that is being typed in has its fields instead.
    const target =
      stops[Math.min(Math.max(index, 0), stops.length - 1)] ?? row.querySelector('input, select')
    if (target instanceof HTMLElement) target.focus()
    return true
  }

  #act(
    /** @type {KeyboardEvent} */ { key, target },
    /** @type {HTMLTableRowElement} */ row,
    /** @type {number} */ at
  ) {
    const deed = DEEDS[key]
    // Buttons are pressed by Enter as buttons are.
    const isButton = !(target instanceof HTMLTableCellElement)
    if (!deed || (isButton && key === 'Enter')) return false
    this.#perform(deed, row, CELLS[at]?.[0] ?? 'content')
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
