/*
| Rows that are ticked on several pages of a list: kept for the tab, sent with the form of what is to be done.
*/
import { element } from './html.js'

const KEY = 'zones-chosen:'

export function selection(/** @type {Document} */ page) {
  // What was done with a selection ends it.
  if (page.querySelector('[data-bulk-run]')) {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(KEY)) sessionStorage.removeItem(key)
    }
  }
  const form = page.querySelector('form[data-bulk]')
  if (form instanceof HTMLFormElement) new Selection(page, form)
}

class Selection {
  #form
  #boxes
  #key
  /** @type {HTMLInputElement | null} */
  #all = null
  /** @type {Set<string>} */
  #chosen

  constructor(/** @type {Document} */ page, /** @type {HTMLFormElement} */ form) {
    this.#form = form
    this.#boxes = /** @type {NodeListOf<HTMLInputElement>} */ (
      page.querySelectorAll('input[type=checkbox][form=bulk]')
    )
    this.#key = `${KEY}${form.dataset.user ?? ''}`
    this.#chosen = new Set((sessionStorage.getItem(this.#key) ?? '').split(',').filter(Boolean))
    this.#addAll(page)
    for (const box of this.#boxes) {
      box.checked = this.#chosen.has(box.value)
      box.addEventListener('change', () => {
        if (box.checked) this.#chosen.add(box.value)
        else this.#chosen.delete(box.value)
        this.#keep()
      })
      box.addEventListener('keydown', (event) => this.#onKey(event))
    }
    form.querySelector('[data-bulk-none]')?.addEventListener('click', () => this.#clear())
    form.querySelector('[name="all"]')?.addEventListener('change', () => this.#show())
    // A page that comes back out of memory has the ticks that it had.
    window.addEventListener('pageshow', (event) => {
      if (event.persisted) location.reload()
    })
    this.#show()
  }

  /** A tick for all rows of the page. */
  #addAll(/** @type {Document} */ page) {
    const head = page.querySelector('[data-tick-all]')
    if (!(head instanceof HTMLElement)) return
    const label = head.dataset.tickAll ?? ''
    const all = element('input', { 'type': 'checkbox', 'class': 'tick', 'aria-label': label })
    this.#all = /** @type {HTMLInputElement} */ (all)
    head.replaceChildren(all)
    all.addEventListener('change', () => {
      for (const box of this.#boxes) {
        box.checked = this.#all?.checked ?? false
        if (box.checked) this.#chosen.add(box.value)
        else this.#chosen.delete(box.value)
      }
      this.#keep()
    })
  }

  #clear() {
    this.#chosen.clear()
    for (const box of this.#boxes) box.checked = false
    const everything = this.#form.elements.namedItem('all')
    if (everything instanceof HTMLInputElement) everything.checked = false
    this.#keep()
    this.#boxes[0]?.focus()
  }

  /** Enter in a box leads to what can be done, past all rows that follow; left to the browser, it would begin the first of that. */
  #onKey(/** @type {KeyboardEvent} */ event) {
    if (event.key !== 'Enter') return
    event.preventDefault()
    this.#form.focus()
  }

  #keep() {
    sessionStorage.setItem(this.#key, [...this.#chosen].join(','))
    this.#show()
  }

  #show() {
    const { dataset, elements } = this.#form
    const count = this.#chosen.size
    const everything = elements.namedItem('all')
    const isAll = everything instanceof HTMLInputElement && everything.checked
    const more = elements.namedItem('more')
    if (more instanceof HTMLInputElement) more.value = [...this.#chosen].join(',')
    const countText = this.#form.querySelector('[data-bulk-count]')
    if (countText) {
      countText.textContent =
        count === 1
          ? (dataset.one ?? '')
          : (dataset.many ?? '').replace(
              '{count}',
              count.toLocaleString(document.documentElement.lang)
            )
    }
    const none = this.#form.querySelector('[data-bulk-none]')
    if (none instanceof HTMLElement) none.hidden = count === 0 && !isAll
    for (const button of this.#form.querySelectorAll('button[name=action]')) {
      if (button instanceof HTMLButtonElement) button.disabled = count === 0 && !isAll
    }
    this.#form.classList.toggle('floating', count > 0)
    if (this.#all) {
      const ticked = [...this.#boxes].filter((box) => box.checked).length
      this.#all.checked = ticked > 0 && ticked === this.#boxes.length
      this.#all.indeterminate = ticked > 0 && ticked < this.#boxes.length
    }
  }
}
