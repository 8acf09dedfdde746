/*
| The bar that says how much a draft changes, and sends it to be looked at.
*/

/** @typedef {import('./draft.js').Draft} Draft */

export class DraftBar {
  #form
  #place
  #texts

  constructor(
    /** @type {HTMLFormElement} */ form,
    /** @type {import('./record_row.js').Texts} */ texts
  ) {
    this.#form = form
    this.#place = form.parentElement ?? form
    this.#texts = texts
  }

  get isHidden() {
    return this.#place.hidden
  }

  /** Where the draft is sent to. */
  get address() {
    return this.#form.action
  }

  /** @param {{ ask: () => void, discard: () => void }} deeds */
  listen({ ask, discard }) {
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault()
      ask()
    })
    // It is asked before.
    this.#place.querySelector('.actions form')?.addEventListener('submit', (event) => {
      event.preventDefault()
      discard()
    })
  }

  /** Says how many changes there are; without any it is not there. */
  count(/** @type {Draft} */ draft) {
    const changes = draft.changes.length
    this.#place.hidden = changes === 0
    // A question that cannot be seen would keep the page.
    if (changes === 0) this.#place.querySelector('dialog')?.close()
    const place = this.#form.querySelector('[data-draft-count]')
    const text = `${this.#say('changes', changes)} ${this.#say('sets', draft.sets)}`
    // What is said again and again while somebody types is no news.
    if (place && place.textContent !== text) place.textContent = text
  }

  /** What is sent of a draft. */
  bodyOf(/** @type {Draft} */ draft) {
    const body = new URLSearchParams()
    for (const [name, value] of new FormData(this.#form)) body.set(name, String(value))
    body.set('changes', JSON.stringify(draft))
    return body
  }

  #say(/** @type {string} */ name, /** @type {number} */ count) {
    const text = this.#texts[`${name}_${count === 1 ? 'one' : 'many'}`] ?? ''
    return text.replace(`{${name}}`, String(count))
  }
}
