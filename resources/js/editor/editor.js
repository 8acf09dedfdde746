/*
| The editor of a zone: records are edited in place and reviewed together.
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
 * Turns the record table of a page into an editor, if the page has one.
 * @returns {(() => void) | undefined} must be called after the rows of the table were replaced
 */
export function editor(/** @type {Document} */ page) {
  const frame = page.querySelector('[data-editor]')
  const bar = page.querySelector('form[data-draft]')
  const dialog = page.querySelector('dialog#review')
  const hasEditor = frame instanceof HTMLElement && bar instanceof HTMLFormElement
  if (!hasEditor || !(dialog instanceof HTMLDialogElement)) return
  const zoneEditor = new Editor(page, frame, bar, dialog)
  return () => zoneEditor.show()
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
  /** Keys of the changes in the open review. @type {string[]} */
  #reviewedKeys = []

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
    const context = {
      texts: this.#texts,
      types: template(page, '[data-types]'),
      buttons: template(page, '[data-row-buttons]'),
      check: new LiveCheck(
        `/zones/${zone}/check`,
        token instanceof HTMLInputElement ? token.value : ''
      ),
    }
    this.#actions = new RowActions(frame, this.#draft, context, () => this.#count())
    this.#review = new Review(dialog, this.#texts, {
      sending: (keys) => this.#draft.markSent(keys),
      rebased: (changes) => this.#rebase(changes),
      applied: () => {
        // Another window may consume the flash message that confirms the change.
        this.#draft.removeSent()
        page.location.reload()
      },
    })
    dialog.addEventListener('close', () => {
      // The page does not yet show changes that other users made.
      if (this.#isStale) page.location.reload()
    })
    if (page.querySelector(`[data-applied="${CSS.escape(zone)}"]`)) this.#draft.removeSent()
    this.#draft.follow(() => this.#actions.show())
    this.#listen()
    this.show()
  }

  /** Applies the draft to the rows of the page. Must be called after the rows were replaced. */
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
      ask: () => this.#openReview(),
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
      this.#openReview()
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

  /** Requests a review of the draft, including unfinished edits. Does nothing for an empty draft. */
  #openReview() {
    finishTyping(this.#frame)
    if (this.#bar.isHidden) return
    this.#reviewedKeys = this.#draft.changes.map(({ key }) => key)
    void this.#review.ask(this.#bar.address, this.#bar.bodyOf(this.#draft))
  }

  /** Replaces the reviewed changes by those that the server returned. */
  #rebase(/** @type {any[]} */ changes) {
    this.#draft.replaceSent(changes, this.#reviewedKeys)
    this.#reviewedKeys = changes.map(({ key }) => key)
    this.#isStale = true
    this.#count()
  }
}

/** @returns {HTMLTemplateElement | null} */
function template(/** @type {Document} */ page, /** @type {string} */ selector) {
  return page.querySelector(`template${selector}`)
}
