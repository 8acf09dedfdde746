/*
| What is done to rows of the editor: each deed goes into the draft, and the row shows it.
*/
import { BLANK } from './draft.js'
import { EditorRows } from './editor_rows.js'
import { RowForm } from './row_form.js'
import { endsTyping } from './row_typing.js'
import { dataOf, keyOf } from './record_row.js'

/** @typedef {import('./draft.js').Change} Change */
/** @typedef {{ texts: import('./record_row.js').Texts, types: HTMLTemplateElement | null, buttons: HTMLTemplateElement | null, check: import('./live_check.js').LiveCheck }} Terms */

export class RowActions {
  #frame
  #draft
  #terms
  #rows
  #changed
  /** Moves the focus through the rows that are there now. @type {import('./grid.js').Grid | null} */
  grid = null

  /**
   * @param {HTMLElement} frame what holds the table, whose rows others may replace
   * @param {import('./draft.js').Draft} draft
   * @param {Terms} terms
   * @param {() => void} changed called when the draft has other changes
   */
  constructor(frame, draft, terms, changed) {
    this.#frame = frame
    this.#draft = draft
    this.#terms = terms
    this.#changed = changed
    this.#rows = new EditorRows(terms.buttons, terms.texts, () => this.grid?.refresh())
  }

  /** Rows that nobody types in show what the draft makes of them. */
  show() {
    const there = new Set()
    for (const row of this.#body?.querySelectorAll('tr[data-record], tr[data-new]') ?? []) {
      if (!(row instanceof HTMLTableRowElement)) continue
      const change = this.#draft.find(keyOf(row))
      const isTyped = row.classList.contains('editing')
      there.add(keyOf(row))
      if (change && !isTyped) this.#rows.mark(row, change)
      else if (row.matches('.dirty, .doomed')) this.#unmark(row)
    }
    for (const change of this.#draft.changes) {
      if (change.before || there.has(change.key)) continue
      this.#rows.mark(this.#newRow(change.key), change)
    }
    this.#changed()
  }

  /** Does to a row what a button or a key says. */
  perform(
    /** @type {string} */ deed,
    /** @type {HTMLTableRowElement} */ row,
    /** @type {string | undefined} */ field = undefined
  ) {
    const isDoomed = row.classList.contains('doomed')
    if (deed === 'add') this.add(BLANK)
    else if (deed === 'edit' && !isDoomed) this.#edit(row, field)
    else if (deed === 'copy') this.#copy(row)
    else if (deed === 'delete' && !isDoomed) this.#delete(row)
    else if (deed === 'revert' && this.#draft.find(keyOf(row))) this.#revert(row)
  }

  /** A row for a new record, which begins with what is known of it. */
  add(/** @type {import('./draft.js').RecordData} */ data) {
    this.#frame.querySelector('.empty')?.remove()
    this.#edit(this.#newRow(`new ${Date.now()} ${Math.random()}`), 'name', data)
  }

  /** A new record like this one. */
  #copy(/** @type {HTMLTableRowElement} */ row) {
    const data = this.#draft.find(keyOf(row))?.after ?? dataOf(row)
    if (!data || data.type === 'SOA') return
    const { id: _id, tag: _tag, ...fields } = data
    this.add(fields)
  }

  /** Marks a record to be deleted; one that is not there yet is taken away. */
  #delete(/** @type {HTMLTableRowElement} */ row) {
    const stored = dataOf(row)
    if (!stored) return this.#revert(row)
    // A zone without its SOA record is none.
    if (stored.type === 'SOA') return
    const { before, since } = this.#seen(row)
    const change = /** @type {Change} */ ({
      key: keyOf(row),
      action: 'delete',
      before,
      after: before,
      since,
    })
    this.#draft.set(change)
    this.#rows.mark(row, change)
    this.grid?.focus(row)
    this.#changed()
  }

  /** A row as it is at the server; one that is not there goes. */
  #revert(/** @type {HTMLTableRowElement} */ row) {
    this.#draft.forget(keyOf(row))
    if (!dataOf(row)) this.grid?.leave(row)
    this.#unmark(row)
    if (dataOf(row)) this.grid?.focus(row)
    this.#changed()
  }

  #unmark(/** @type {HTMLTableRowElement} */ row) {
    const data = dataOf(row)
    if (data) this.#rows.restore(row, data)
    else row.remove()
    this.grid?.refresh()
  }

  #newRow(/** @type {string} */ key) {
    const row = this.#rows.make(key)
    this.#body?.prepend(row)
    return row
  }

  /**
   * Lets a row be typed in; Enter and "Done" end that, Escape and "Cancel" take it back. What is typed is in the draft from the
   * first key on, so that nothing that happens to the page loses it; a row in which nothing is changed leaves nothing there.
   */
  #edit(
    /** @type {HTMLTableRowElement} */ row,
    /** @type {string} */ field = 'name',
    /** @type {import('./draft.js').RecordData} */ blank = BLANK
  ) {
    if (row.classList.contains('editing')) return
    const key = keyOf(row)
    const before = dataOf(row)
    const known = this.#draft.find(key)
    const seen = this.#seen(row)
    const form = new RowForm(row, known?.after ?? before ?? blank, {
      texts: this.#terms.texts,
      types: this.#terms.types,
      check: this.#terms.check,
      stored: before,
      ptr: known?.ptr === true,
    })
    row.className = 'editing'
    const wanted = () => ({ after: form.read(), ptr: form.wantsPtr })
    const start = JSON.stringify(wanted())
    let isTyped = false
    const putBack = () => {
      if (known && isTyped) this.#draft.set(known)
      else if (isTyped) this.#draft.forget(key)
    }
    const typed = () => {
      const now = wanted()
      if (JSON.stringify(now) === start) putBack()
      else this.#draft.set({ key, action: before ? 'update' : 'create', ...seen, ...now })
      isTyped = JSON.stringify(now) !== start
      this.#changed()
    }
    const done = (/** @type {boolean} */ isHere) => {
      typed()
      this.#close(row, isHere ? field : null)
    }
    const cancel = () => {
      putBack()
      this.#close(row, field)
    }
    this.#rows.offer(row, form.read(), ['done', 'cancel'])
    const refuse = () => form.refuse()
    endsTyping(row, { typed, refuse, end: () => this.#terms.check.stop(), done, cancel })
    form.focus(field)
  }

  /** A row that was typed in shows what the draft has of it; a new one of which that has nothing goes. */
  #close(/** @type {HTMLTableRowElement} */ row, /** @type {string | null} */ field) {
    const change = this.#draft.find(keyOf(row))
    const isThere = change !== undefined || dataOf(row) !== null
    if (!isThere && field !== null) this.grid?.leave(row)
    if (change) this.#rows.mark(row, change)
    else this.#unmark(row)
    if (isThere && field !== null) this.grid?.focus(row, field)
    this.#changed()
  }

  /** The record as it was when its change began, so that what others did to it since is noticed; and that entry of the history. */
  #seen(/** @type {HTMLTableRowElement} */ row) {
    const known = this.#draft.find(keyOf(row))
    return known
      ? { before: known.before, since: known.since }
      : { before: dataOf(row), since: this.#entry }
  }

  get #body() {
    return this.#frame.querySelector('tbody')
  }

  /** Number of the newest entry of the zone's history when this page was made. */
  get #entry() {
    return Number(this.#frame.querySelector('table')?.dataset.entry ?? 0)
  }
}
