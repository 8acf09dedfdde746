/*
| The bar that shows the number of pending changes and submits the draft for review.
*/

/** @typedef {import('./draft.js').Draft} Draft */

export class DraftBar {
  #form
  #container
  #texts

  constructor(
    /** @type {HTMLFormElement} */ form,
    /** @type {import('./record_row.js').Texts} */ texts
  ) {
    this.#form = form
    this.#container = form.parentElement ?? form
    this.#texts = texts
  }

  get isHidden() {
    return this.#container.hidden
  }

  /** URL of the review. */
  get address() {
    return this.#form.action
  }

  /** @param {{ ask: () => void, discard: () => void }} actions */
  listen({ ask, discard }) {
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault()
      ask()
    })
    // The confirmation dialog was answered before this submit.
    this.#container.querySelector('.actions form')?.addEventListener('submit', (event) => {
      event.preventDefault()
      discard()
    })
  }

  /** Shows the number of changes. An empty draft hides the bar. */
  count(/** @type {Draft} */ draft) {
    const changes = draft.changes.length
    this.#container.hidden = changes === 0
    // An open modal dialog in a hidden bar would block the page.
    if (changes === 0) this.#container.querySelector('dialog')?.close()
    const output = this.#form.querySelector('[data-draft-count]')
    const text = `${this.#countText('changes', changes)} ${this.#countText('sets', draft.sets)}`
    // A repeated announcement of the same text would disturb screen readers.
    if (output && output.textContent !== text) output.textContent = text
  }

  /** Form data of the review request. */
  bodyOf(/** @type {Draft} */ draft) {
    const body = new URLSearchParams()
    for (const [name, value] of new FormData(this.#form)) body.set(name, String(value))
    body.set('changes', JSON.stringify(draft))
    return body
  }

  #countText(/** @type {string} */ name, /** @type {number} */ count) {
    const text = this.#texts[`${name}_${count === 1 ? 'one' : 'many'}`] ?? ''
    return text.replace(`{${name}}`, String(count))
  }
}
