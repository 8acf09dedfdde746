/*
| Command palette: Ctrl-K or the button in the page header opens a dialog that finds zones, records, users and pages. ARIA
| combobox pattern: the focus stays in the field, arrows move, Enter opens, Escape closes.
*/
import { element } from './html.js'

const PAUSE_MS = 120

/** @typedef {{ href: string, text: string, about: string, isDns: boolean, isForm?: boolean }} Offer */
/** @typedef {{ label: string, items: Offer[] }} OfferGroup */

export function palette(/** @type {Document} */ page) {
  const dialog = page.querySelector('dialog[data-palette-dialog]')
  const link = page.querySelector('a[data-palette]')
  const field = dialog?.querySelector('input')
  const list = dialog?.querySelector('[role=listbox]')
  if (!(dialog instanceof HTMLDialogElement) || !(link instanceof HTMLAnchorElement)) return
  if (!(field instanceof HTMLInputElement) || !(list instanceof HTMLElement)) return
  new Palette(page, dialog, field, list, buttonFor(link))
}

/** Replaces the link to the search page by a button that opens the dialog. */
function buttonFor(/** @type {HTMLAnchorElement} */ link) {
  const button = element('button', {
    'type': 'button',
    'class': link.className,
    'data-icon': link.dataset.icon ?? '',
    'aria-haspopup': 'dialog',
  })
  button.append(...link.childNodes)
  link.replaceWith(button)
  return button
}

class Palette {
  #dialog
  #field
  #list
  #timer = 0
  /** @type {AbortController | undefined} */
  #request
  /** The query of the shown results; null before the first response. */
  #shownQuery = /** @type {string | null} */ (null)
  #activeIndex = -1

  constructor(
    /** @type {Document} */ page,
    /** @type {HTMLDialogElement} */ dialog,
    /** @type {HTMLInputElement} */ field,
    /** @type {HTMLElement} */ list,
    /** @type {HTMLElement} */ button
  ) {
    this.#dialog = dialog
    this.#field = field
    this.#list = list
    button.addEventListener('click', () => this.#open())
    page.addEventListener('keydown', (event) => {
      const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if (!isShortcut || event.altKey || event.shiftKey) return
      event.preventDefault()
      if (dialog.open) dialog.close()
      else this.#open()
    })
    field.addEventListener('input', () => this.#scheduleSearch(PAUSE_MS))
    field.addEventListener('keydown', (event) => this.#onKey(event))
    dialog.addEventListener('close', () => this.#request?.abort())
    dialog.addEventListener('click', (event) => {
      // A click on the backdrop has the dialog as its target.
      if (event.target === dialog) dialog.close()
    })
    list.addEventListener('click', (event) => {
      const option = event.target instanceof Element && event.target.closest('[role=option]')
      if (option instanceof HTMLElement) this.#openResult(option)
    })
  }

  get #options() {
    return /** @type {HTMLElement[]} */ ([...this.#list.querySelectorAll('[role=option]')])
  }

  #open() {
    // Only one modal dialog can be open.
    if (document.querySelector('dialog[open]')) return
    this.#dialog.showModal()
    this.#field.select()
    this.#scheduleSearch(0)
  }

  #scheduleSearch(/** @type {number} */ pause) {
    window.clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => void this.#search(), pause)
  }

  get #text() {
    return this.#field.value.trim()
  }

  /** Requests results for the query. Returns false if a newer request or closing cancelled it. */
  async #search() {
    window.clearTimeout(this.#timer)
    this.#request?.abort()
    const request = new AbortController()
    this.#request = request
    const text = this.#text
    const query = new URLSearchParams({ q: text })
    const { zone } = this.#dialog.dataset
    if (zone) query.set('zone', zone)
    /** @type {OfferGroup[]} */
    let groups = []
    try {
      const response = await fetch(`/palette?${query.toString()}`, {
        headers: { accept: 'application/json' },
        signal: request.signal,
      })
      if (response.ok) groups = (await response.json()).groups
    } catch {
      // The connection may have failed. The link to the full search stays.
    }
    if (request.signal.aborted) return false
    this.#show(text, groups)
    return true
  }

  #show(/** @type {string} */ text, /** @type {OfferGroup[]} */ groups) {
    const everywhere = {
      href: `/search?q=${encodeURIComponent(text)}`,
      text: (this.#dialog.dataset.everywhere ?? '').replace('{text}', () => text),
      about: '',
      isDns: false,
    }
    let number = 0
    const sections = groups.map(({ label, items }, groupIndex) => {
      const id = `palette-group-${groupIndex}`
      const options = items.map((item) => option(item, number++))
      const head = element('div', { id: id, class: 'palette-head', role: 'presentation' }, [label])
      return element('div', { 'role': 'group', 'aria-labelledby': id }, [head, ...options])
    })
    const rest = text === '' ? [] : [option(everywhere, number)]
    this.#list.replaceChildren(...sections, ...rest)
    this.#shownQuery = text
    this.#field.setAttribute('aria-expanded', String(this.#options.length > 0))
    this.#moveTo(this.#options.length > 0 ? 0 : -1)
  }

  #onKey(/** @type {KeyboardEvent} */ event) {
    if (event.isComposing) return
    const { length } = this.#options
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && length > 0) {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      this.#moveTo((this.#activeIndex + step + length) % length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      void this.#openSelected()
    }
  }

  /** Opens the selected result. If the results are outdated, requests them again and opens the first. */
  async #openSelected() {
    if (this.#shownQuery !== this.#text && !(await this.#search())) return
    const option = this.#options[this.#activeIndex]
    if (option) this.#openResult(option)
  }

  #moveTo(/** @type {number} */ index) {
    this.#activeIndex = index
    for (const [position, option] of this.#options.entries()) {
      option.setAttribute('aria-selected', String(position === index))
    }
    const option = this.#options[index]
    if (option) {
      this.#field.setAttribute('aria-activedescendant', option.id)
      option.scrollIntoView({ block: 'nearest' })
    } else {
      this.#field.removeAttribute('aria-activedescendant')
    }
  }

  #openResult(/** @type {HTMLElement} */ option) {
    const href = option.dataset.href ?? '/search'
    if (option.dataset.form === undefined) return location.assign(href)
    const form = document.querySelector(`form[method=post][action="${CSS.escape(href)}"]`)
    if (form instanceof HTMLFormElement) form.requestSubmit()
  }
}

function option(
  /** @type {Offer} */ { href, text, about, isDns, isForm },
  /** @type {number} */ number
) {
  /** @type {Record<string, string>} */
  const direction = isDns ? { dir: 'ltr' } : {}
  const parts = [element('bdi', direction, [text])]
  if (about) parts.push(element('small', direction, [about]))
  return element(
    'div',
    {
      'role': 'option',
      'id': `palette-option-${number}`,
      'class': 'palette-option',
      'aria-selected': 'false',
      'data-href': href,
      ...(isForm ? { 'data-form': '' } : {}),
    },
    parts
  )
}
