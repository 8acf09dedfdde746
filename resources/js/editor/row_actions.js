/*
| Actions on rows of the editor. Each action changes the draft, and the row shows the result.
*/
import { BLANK } from './draft.js'
import { EditorRows } from './editor_rows.js'
import { RowForm } from './row_form.js'
import { handleTyping } from './row_typing.js'
import { dataOf, keyOf } from './record_row.js'

/** @typedef {import('./draft.js').Change} Change */
/** @typedef {{ texts: import('./record_row.js').Texts, types: HTMLTemplateElement | null, buttons: HTMLTemplateElement | null, check: import('./live_check.js').LiveCheck }} Context */

export class RowActions {
  #frame
  #draft
  #context
  #rows
  #changed
  /** Keyboard navigation of the current rows. @type {import('./grid.js').Grid | null} */
  grid = null

  /**
   * @param {HTMLElement} frame parent of the table; its rows may be replaced
   * @param {import('./draft.js').Draft} draft
   * @param {Context} context
   * @param {() => void} changed called when the draft changes
   */
  constructor(frame, draft, context, changed) {
    this.#frame = frame
    this.#draft = draft
    this.#context = context
    this.#changed = changed
    this.#rows = new EditorRows(context.buttons, context.texts, () => this.grid?.refresh())
  }

  /** Applies the draft to all rows that are not being edited. */
  show() {
    const shownKeys = new Set()
    for (const row of this.#body?.querySelectorAll('tr[data-record], tr[data-new]') ?? []) {
      if (!(row instanceof HTMLTableRowElement)) continue
      const change = this.#draft.find(keyOf(row))
      const isEditing = row.classList.contains('editing')
      shownKeys.add(keyOf(row))
      if (change && !isEditing) this.#rows.showChange(row, change)
      else if (row.matches('.dirty, .doomed')) this.#resetRow(row)
    }
    for (const change of this.#draft.changes) {
      if (change.before || shownKeys.has(change.key)) continue
      this.#rows.showChange(this.#newRow(change.key), change)
    }
    this.#changed()
  }

  /** Performs the action of a button or key on a row. */
  perform(
    /** @type {string} */ action,
    /** @type {HTMLTableRowElement} */ row,
    /** @type {string | undefined} */ field = undefined
  ) {
    const isDoomed = row.classList.contains('doomed')
    if (action === 'add') this.add(BLANK)
    else if (action === 'edit' && !isDoomed) this.#edit(row, field)
    else if (action === 'copy') this.#copy(row)
    else if (action === 'delete' && !isDoomed) this.#delete(row)
    else if (action === 'revert' && this.#draft.find(keyOf(row))) this.#revert(row)
  }

  /** Adds a row for a new record with initial values and opens it for editing. */
  add(/** @type {import('./draft.js').RecordData} */ data) {
    this.#frame.querySelector('.empty')?.remove()
    this.#edit(this.#newRow(`new ${Date.now()} ${Math.random()}`), 'name', data)
  }

  /** Adds a new record with the values of a row. */
  #copy(/** @type {HTMLTableRowElement} */ row) {
    const data = this.#draft.find(keyOf(row))?.after ?? dataOf(row)
    if (!data || data.type === 'SOA') return
    const { id: _id, tag: _tag, ...fields } = data
    this.add(fields)
  }

  /** Marks a record for deletion. A record that is not stored yet is removed. */
  #delete(/** @type {HTMLTableRowElement} */ row) {
    const stored = dataOf(row)
    if (!stored) return this.#revert(row)
    // Every zone has an SOA record (RFC 1035).
    if (stored.type === 'SOA') return
    const { before, since } = this.#baseline(row)
    const change = /** @type {Change} */ ({
      key: keyOf(row),
      action: 'delete',
      before,
      after: before,
      since,
    })
    this.#draft.set(change)
    this.#rows.showChange(row, change)
    this.grid?.focus(row)
    this.#changed()
  }

  /** Restores the stored state of a row. A record that is not stored yet is removed. */
  #revert(/** @type {HTMLTableRowElement} */ row) {
    this.#draft.remove(keyOf(row))
    if (!dataOf(row)) this.grid?.focusNeighbour(row)
    this.#resetRow(row)
    if (dataOf(row)) this.grid?.focus(row)
    this.#changed()
  }

  #resetRow(/** @type {HTMLTableRowElement} */ row) {
    const data = dataOf(row)
    if (data) this.#rows.restore(row, data)
    else row.remove()
    this.grid?.refresh()
  }

  #newRow(/** @type {string} */ key) {
    const row = this.#rows.create(key)
    this.#body?.prepend(row)
    return row
  }

  /**
   * Opens a row for editing. Enter and "Done" finish, Escape and "Cancel" revert. Each input is stored in the draft, so a
   * reload loses nothing. A row without differences leaves no draft entry.
   */
  #edit(
    /** @type {HTMLTableRowElement} */ row,
    /** @type {string} */ field = 'name',
    /** @type {import('./draft.js').RecordData} */ blank = BLANK
  ) {
    if (row.classList.contains('editing')) return
    const key = keyOf(row)
    const before = dataOf(row)
    const pending = this.#draft.find(key)
    const baseline = this.#baseline(row)
    const form = new RowForm(row, pending?.after ?? before ?? blank, {
      texts: this.#context.texts,
      types: this.#context.types,
      check: this.#context.check,
      stored: before,
      ptr: pending?.ptr === true,
    })
    row.className = 'editing'
    const readInput = () => ({ after: form.read(), ptr: form.wantsPtr })
    const initial = JSON.stringify(readInput())
    let hasInput = false
    const revert = () => {
      if (pending && hasInput) this.#draft.set(pending)
      else if (hasInput) this.#draft.remove(key)
    }
    const onInput = () => {
      const current = readInput()
      if (JSON.stringify(current) === initial) revert()
      else this.#draft.set({ key, action: before ? 'update' : 'create', ...baseline, ...current })
      hasInput = JSON.stringify(current) !== initial
      this.#changed()
    }
    const done = (/** @type {boolean} */ hasFocus) => {
      onInput()
      this.#close(row, hasFocus ? field : null)
    }
    const cancel = () => {
      revert()
      this.#close(row, field)
    }
    this.#rows.showButtons(row, form.read(), ['done', 'cancel'])
    const refuse = () => form.refuse()
    handleTyping(row, { onInput, refuse, end: () => this.#context.check.stop(), done, cancel })
    form.focus(field)
  }

  /** Ends the editing of a row and shows its pending change. A new row without a change is removed. */
  #close(/** @type {HTMLTableRowElement} */ row, /** @type {string | null} */ field) {
    const change = this.#draft.find(keyOf(row))
    const remains = change !== undefined || dataOf(row) !== null
    if (!remains && field !== null) this.grid?.focusNeighbour(row)
    if (change) this.#rows.showChange(row, change)
    else this.#resetRow(row)
    if (remains && field !== null) this.grid?.focus(row, field)
    this.#changed()
  }

  /** State of the record and journal entry when its change began. The server detects later edits by others against it. */
  #baseline(/** @type {HTMLTableRowElement} */ row) {
    const pending = this.#draft.find(keyOf(row))
    return pending
      ? { before: pending.before, since: pending.since }
      : { before: dataOf(row), since: this.#entry }
  }

  get #body() {
    return this.#frame.querySelector('tbody')
  }

  /** Number of the newest journal entry when the page was rendered. */
  get #entry() {
    return Number(this.#frame.querySelector('table')?.dataset.entry ?? 0)
  }
}
