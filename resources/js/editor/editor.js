/*
| The editor of a zone: rows are changed in place, several at once, and reviewed together.
*/
import { isSingleKey } from '../shortcuts.js'
import { BLANK, Draft } from './draft.js'
import { DraftBar } from './draft_bar.js'
import { EditorRows } from './editor_rows.js'
import { Grid } from './grid.js'
import { LiveCheck } from './live_check.js'
import { Review } from './review.js'
import { RowForm } from './row_form.js'
import { endsTyping } from './row_typing.js'
import { dataOf, keyOf } from './record_row.js'

/** @typedef {import('./draft.js').Change} Change */

/**
 * Makes the table of a zone's records an editor, where there is one.
 * @returns {(() => void) | undefined} to be called when the rows are other ones
 */
export function editor(/** @type {Document} */ page) {
  const frame = page.querySelector('[data-editor]')
  const bar = page.querySelector('form[data-draft]')
  const dialog = page.querySelector('dialog#review')
  const isThere = frame instanceof HTMLElement && bar instanceof HTMLFormElement
  if (!isThere || !(dialog instanceof HTMLDialogElement)) return
  const made = new Editor(page, frame, bar, dialog)
  return () => made.show()
}

class Editor {
  #page
  #frame
  #bar
  #draft
  /** @type {Record<string, string>} */
  #texts
  #types
  #rows
  #review
  #check
  /** @type {Grid | null} */
  #grid = null
  #isStale = false
  /** Keys of the changes that the review was asked about. @type {string[]} */
  #asked = []

  constructor(
    /** @type {Document} */ page,
    /** @type {HTMLElement} */ frame,
    /** @type {HTMLFormElement} */ bar,
    /** @type {HTMLDialogElement} */ dialog
  ) {
    this.#page = page
    this.#frame = frame
    const zone = frame.dataset.editor ?? ''
    this.#draft = new Draft(bar.dataset.user ?? '', zone)
    this.#texts = JSON.parse(bar.dataset.texts ?? '{}')
    this.#bar = new DraftBar(bar, this.#texts)
    this.#types = template(page, '[data-types]')
    const buttons = template(page, '[data-row-buttons]')
    this.#rows = new EditorRows(buttons, this.#texts, () => this.#grid?.refresh())
    const token = bar.querySelector('input[name="_csrf"]')
    this.#check = new LiveCheck(
      `/zones/${zone}/check`,
      token instanceof HTMLInputElement ? token.value : ''
    )
    this.#review = new Review(dialog, this.#texts, {
      sending: (keys) => this.#draft.sending(keys),
      rebased: (changes) => this.#rebase(changes),
      applied: () => page.location.reload(),
    })
    dialog.addEventListener('close', () => {
      // What others wrote meanwhile is not on the page yet.
      if (this.#isStale) page.location.reload()
    })
    if (page.querySelector(`[data-applied="${CSS.escape(zone)}"]`)) this.#draft.settle()
    this.#draft.follow(() => this.#showDraft())
    this.#listen()
    this.show()
  }

  /** Rows of the page show what the draft makes of them. To be called when the rows are other ones. */
  show() {
    const table = this.#frame.querySelector('table')
    this.#grid = table && new Grid(table, (deed, row, field) => this.#perform(deed, row, field))
    this.#showDraft()
  }

  /** Rows that nobody types in show what the draft makes of them. */
  #showDraft() {
    const there = new Set()
    for (const row of this.#body?.querySelectorAll('tr[data-record], tr[data-new]') ?? []) {
      if (!(row instanceof HTMLTableRowElement)) continue
      const change = this.#draft.find(keyOf(row))
      const isTyped = row.classList.contains('editing')
      there.add(keyOf(row))
      if (change && !isTyped) this.#mark(row, change)
      else if (row.matches('.dirty, .doomed')) this.#unmark(row)
    }
    for (const change of this.#draft.changes) {
      if (change.before || there.has(change.key)) continue
      this.#mark(this.#newRow(change.key), change)
    }
    this.#count()
  }

  get #body() {
    return this.#frame.querySelector('tbody')
  }

  #listen() {
    this.#frame.addEventListener('click', (event) => {
      const target = event.target instanceof Element ? event.target : null
      const button = target?.closest('[data-act]')
      const row = button?.closest('tr')
      if (!row || !(button instanceof HTMLElement)) return
      event.preventDefault()
      this.#perform(button.dataset.act ?? '', row)
    })
    this.#page.querySelector('[data-add]')?.addEventListener('click', (event) => {
      event.preventDefault()
      this.#add(BLANK)
    })
    this.#bar.listen({
      ask: () => this.#ask(),
      discard: () => {
        this.#draft.clear()
        this.#page.location.reload()
      },
    })
    this.#page.addEventListener('keydown', (event) => this.#onKey(event))
  }

  #onKey(/** @type {KeyboardEvent} */ event) {
    if (event.key === 's' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      const form = this.#body?.querySelector('tr.editing')
      if (form instanceof HTMLTableRowElement) form.dispatchEvent(new Event('finish'))
      if (!this.#bar.isHidden) this.#ask()
    } else if (isSingleKey(event, 'n') && !event.defaultPrevented) {
      event.preventDefault()
      this.#add(BLANK)
    } else if (event.key === 'ArrowDown' && event.target === this.#page.body) {
      event.preventDefault()
      this.#grid?.enter()
    }
  }

  #perform(
    /** @type {string} */ deed,
    /** @type {HTMLTableRowElement} */ row,
    /** @type {string | undefined} */ field = undefined
  ) {
    const isDoomed = row.classList.contains('doomed')
    if (deed === 'add') this.#add(BLANK)
    else if (deed === 'edit' && !isDoomed) this.#edit(row, field)
    else if (deed === 'copy') this.#copy(row)
    else if (deed === 'delete' && !isDoomed) this.#delete(row)
    else if (deed === 'revert' && this.#draft.find(keyOf(row))) this.#revert(row)
  }

  #add(/** @type {import('./draft.js').RecordData} */ data) {
    this.#frame.querySelector('.empty')?.remove()
    this.#edit(this.#newRow(`new ${Date.now()} ${Math.random()}`), 'name', data)
  }

  /** A new record like this one. */
  #copy(/** @type {HTMLTableRowElement} */ row) {
    const data = this.#draft.find(keyOf(row))?.after ?? dataOf(row)
    if (!data || data.type === 'SOA') return
    const { id: _id, tag: _tag, ...fields } = data
    this.#add(fields)
  }

  /** Marks a record to be deleted; one that is not there yet is taken away. */
  #delete(/** @type {HTMLTableRowElement} */ row) {
    const before = dataOf(row)
    if (!before) return this.#revert(row)
    // A zone without its SOA record is none.
    if (before.type === 'SOA') return
    const change = /** @type {Change} */ ({
      key: keyOf(row),
      action: 'delete',
      before,
      after: before,
      since: this.#entry,
    })
    this.#draft.set(change)
    this.#mark(row, change)
    this.#grid?.focus(row)
    this.#count()
  }

  /** A row as it is at the server; one that is not there goes. */
  #revert(/** @type {HTMLTableRowElement} */ row) {
    this.#draft.forget(keyOf(row))
    if (!dataOf(row)) this.#grid?.leave(row)
    this.#unmark(row)
    if (dataOf(row)) this.#grid?.focus(row)
    this.#count()
  }

  #unmark(/** @type {HTMLTableRowElement} */ row) {
    const data = dataOf(row)
    if (data) this.#rows.restore(row, data)
    else row.remove()
    this.#grid?.refresh()
  }

  #newRow(/** @type {string} */ key) {
    const row = this.#rows.make(key)
    this.#body?.prepend(row)
    return row
  }

  /** Lets a row be typed in; Enter and "Done" end that, Escape and "Cancel" take it back. */
  #edit(
    /** @type {HTMLTableRowElement} */ row,
    /** @type {string} */ field = 'name',
    /** @type {import('./draft.js').RecordData} */ blank = BLANK
  ) {
    if (row.classList.contains('editing')) return
    const key = keyOf(row)
    const before = dataOf(row)
    const known = this.#draft.find(key)
    const form = new RowForm(row, known?.after ?? before ?? blank, {
      texts: this.#texts,
      types: this.#types,
      check: this.#check,
      isNew: before === null,
      ptr: known?.ptr === true,
    })
    row.className = 'editing'
    const done = () => {
      const change = /** @type {Change} */ ({
        key,
        action: before ? 'update' : 'create',
        // What was seen at first, so that a change by others in between is noticed.
        before: known ? known.before : before,
        after: form.read(),
        since: known?.since ?? this.#entry,
        ptr: form.wantsPtr,
      })
      this.#draft.set(change)
      this.#mark(row, change)
      this.#grid?.focus(row, field)
      this.#count()
    }
    const cancel = () => {
      if (known) this.#mark(row, known)
      else return this.#revert(row)
      this.#grid?.focus(row, field)
    }
    this.#rows.offer(row, form.read(), ['done', 'cancel'])
    endsTyping(row, { end: () => this.#check.stop(), done, cancel })
    form.focus(field)
  }

  /** A row as its change makes it. */
  #mark(/** @type {HTMLTableRowElement} */ row, /** @type {Change} */ change) {
    const isChanged = this.#draft.find(change.key) !== undefined
    const stored = dataOf(row)
    if (!isChanged && stored) this.#rows.restore(row, stored)
    else this.#rows.mark(row, change)
  }

  /** Number of the newest entry of the zone's history when this page was made. */
  get #entry() {
    return Number(this.#frame.querySelector('table')?.dataset.entry ?? 0)
  }

  #count() {
    this.#bar.count(this.#draft)
  }

  /** Asks the server what the draft would do. */
  #ask() {
    this.#asked = this.#draft.changes.map(({ key }) => key)
    void this.#review.ask(this.#bar.address, this.#bar.bodyOf(this.#draft))
  }

  /** Takes over what the server made of the draft. */
  #rebase(/** @type {any[]} */ changes) {
    this.#draft.become(changes, this.#asked)
    this.#asked = changes.map(({ key }) => key)
    this.#isStale = true
    this.#count()
  }
}

/** @returns {HTMLTemplateElement | null} */
function template(/** @type {Document} */ page, /** @type {string} */ selector) {
  return page.querySelector(`template${selector}`)
}
