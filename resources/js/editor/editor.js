/*
| The editor of a zone: rows are changed in place, several at once, and reviewed together.
*/
import { isSingleKey } from '../shortcuts.js'
import { BLANK, Draft } from './draft.js'
import { DraftBar } from './draft_bar.js'
import { Grid } from './grid.js'
import { LiveCheck } from './live_check.js'
import { Review } from './review.js'
import { RowActions } from './row_actions.js'
import { finishTyping } from './row_typing.js'

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
  #actions
  #review
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
    const token = bar.querySelector('input[name="_csrf"]')
    const terms = {
      texts: this.#texts,
      types: template(page, '[data-types]'),
      buttons: template(page, '[data-row-buttons]'),
      check: new LiveCheck(
        `/zones/${zone}/check`,
        token instanceof HTMLInputElement ? token.value : ''
      ),
    }
    this.#actions = new RowActions(frame, this.#draft, terms, () => this.#count())
    this.#review = new Review(dialog, this.#texts, {
      sending: (keys) => this.#draft.sending(keys),
      rebased: (changes) => this.#rebase(changes),
      applied: () => {
        // The message that says so may be taken by another window.
        this.#draft.settle()
        page.location.reload()
      },
    })
    dialog.addEventListener('close', () => {
      // What others wrote meanwhile is not on the page yet.
      if (this.#isStale) page.location.reload()
    })
    if (page.querySelector(`[data-applied="${CSS.escape(zone)}"]`)) this.#draft.settle()
    this.#draft.follow(() => this.#actions.show())
    this.#listen()
    this.show()
  }

  /** Rows of the page show what the draft makes of them. To be called when the rows are other ones. */
  show() {
    const table = this.#frame.querySelector('table')
    const perform = this.#actions.perform.bind(this.#actions)
    this.#actions.grid = table && new Grid(table, perform)
    this.#actions.show()
  }

  #listen() {
    this.#frame.addEventListener('click', (event) => {
      const target = event.target instanceof Element ? event.target : null
      const button = target?.closest('[data-act]')
      const row = button?.closest('tr')
      if (!row || !(button instanceof HTMLElement)) return
      event.preventDefault()
      this.#actions.perform(button.dataset.act ?? '', row)
    })
    this.#page.querySelector('[data-add]')?.addEventListener('click', (event) => {
      event.preventDefault()
      this.#actions.add(BLANK)
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
      this.#ask()
    } else if (isSingleKey(event, 'n') && !event.defaultPrevented) {
      event.preventDefault()
      this.#actions.add(BLANK)
    } else if (event.key === 'ArrowDown' && event.target === this.#page.body) {
      event.preventDefault()
      this.#actions.grid?.enter()
    }
  }

  #count() {
    this.#bar.count(this.#draft)
  }

  /** Asks the server what the draft would do, if there is one: with all that is typed. */
  #ask() {
    finishTyping(this.#frame)
    if (this.#bar.isHidden) return
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
