/*
| Rows selected on several pages of a list. The selection is stored per tab and submitted with the bulk form.
*/
import { element } from './html.js'

const KEY_PREFIX = 'zones-chosen:'

export function selection(/** @type {Document} */ page) {
  // A completed bulk action clears the selection.
  if (page.querySelector('[data-bulk-run]')) {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(KEY_PREFIX)) sessionStorage.removeItem(key)
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
  #selectAll = null
  /** @type {Set<string>} */
  #selected

  constructor(/** @type {Document} */ page, /** @type {HTMLFormElement} */ form) {
    this.#form = form
    this.#boxes = /** @type {NodeListOf<HTMLInputElement>} */ (
      page.querySelectorAll('input[type=checkbox][form=bulk]')
    )
    this.#key = `${KEY_PREFIX}${form.dataset.user ?? ''}`
    this.#selected = new Set((sessionStorage.getItem(this.#key) ?? '').split(',').filter(Boolean))
    this.#addSelectAll(page)
    for (const box of this.#boxes) {
      box.checked = this.#selected.has(box.value)
      box.addEventListener('change', () => {
        if (box.checked) this.#selected.add(box.value)
        else this.#selected.delete(box.value)
        this.#save()
      })
      box.addEventListener('keydown', (event) => this.#onKey(event))
    }
    form.querySelector('[data-bulk-none]')?.addEventListener('click', () => this.#clear())
    form.querySelector('[name="all"]')?.addEventListener('change', () => this.#show())
    // The back-forward cache restores outdated checkboxes.
    window.addEventListener('pageshow', (event) => {
      if (event.persisted) location.reload()
    })
    this.#show()
  }

  /** Adds a checkbox for all rows of the page. */
  #addSelectAll(/** @type {Document} */ page) {
    const head = page.querySelector('[data-tick-all]')
    if (!(head instanceof HTMLElement)) return
    const label = head.dataset.tickAll ?? ''
    const selectAll = element('input', { 'type': 'checkbox', 'class': 'tick', 'aria-label': label })
    this.#selectAll = /** @type {HTMLInputElement} */ (selectAll)
    head.replaceChildren(selectAll)
    selectAll.addEventListener('change', () => {
      for (const box of this.#boxes) {
        box.checked = this.#selectAll?.checked ?? false
        if (box.checked) this.#selected.add(box.value)
        else this.#selected.delete(box.value)
      }
      this.#save()
    })
  }

  #clear() {
    this.#selected.clear()
    for (const box of this.#boxes) box.checked = false
    const everything = this.#form.elements.namedItem('all')
    if (everything instanceof HTMLInputElement) everything.checked = false
    this.#save()
    this.#boxes[0]?.focus()
  }

  /** Enter in a checkbox moves the focus to the bulk actions. By default the browser would submit the first one. */
  #onKey(/** @type {KeyboardEvent} */ event) {
    if (event.key !== 'Enter') return
    event.preventDefault()
    this.#form.focus()
  }

  #save() {
    sessionStorage.setItem(this.#key, [...this.#selected].join(','))
    this.#show()
  }

  #show() {
    const { dataset, elements } = this.#form
    const count = this.#selected.size
    const everything = elements.namedItem('all')
    const isAll = everything instanceof HTMLInputElement && everything.checked
    const more = elements.namedItem('more')
    if (more instanceof HTMLInputElement) more.value = [...this.#selected].join(',')
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
    const clearButton = this.#form.querySelector('[data-bulk-none]')
    if (clearButton instanceof HTMLElement) clearButton.hidden = count === 0 && !isAll
    for (const button of this.#form.querySelectorAll('button[name=action]')) {
      if (button instanceof HTMLButtonElement) button.disabled = count === 0 && !isAll
    }
    this.#form.classList.toggle('floating', count > 0)
    if (this.#selectAll) {
      const checkedCount = [...this.#boxes].filter((box) => box.checked).length
      this.#selectAll.checked = checkedCount > 0 && checkedCount === this.#boxes.length
      this.#selectAll.indeterminate = checkedCount > 0 && checkedCount < this.#boxes.length
    }
  }
}
