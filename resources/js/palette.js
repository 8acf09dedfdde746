/*
| The palette: Ctrl-K, or the button of the masthead, opens a dialog that finds zones, records, users and pages. The pattern
| of a combobox with a list: the focus stays in the field, arrows walk, Enter opens, Escape closes.
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

/** The link to the page of the search becomes a button that opens the dialog. */
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
  #asking
  /** The text that the list answers; null before there is one. */
  #answered = /** @type {string | null} */ (null)
  #at = -1

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
      const isAsked = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if (!isAsked || event.altKey || event.shiftKey) return
      event.preventDefault()
      if (dialog.open) dialog.close()
      else this.#open()
    })
    field.addEventListener('input', () => this.#soon(PAUSE_MS))
    field.addEventListener('keydown', (event) => this.#onKey(event))
    dialog.addEventListener('close', () => this.#asking?.abort())
    dialog.addEventListener('click', (event) => {
      // What lies around the dialog is its own backdrop.
      if (event.target === dialog) dialog.close()
    })
    list.addEventListener('click', (event) => {
      const option = event.target instanceof Element && event.target.closest('[role=option]')
      if (option instanceof HTMLElement) this.#go(option)
    })
  }

  get #options() {
    return /** @type {HTMLElement[]} */ ([...this.#list.querySelectorAll('[role=option]')])
  }

  #open() {
    // Another dialog has the page.
    if (document.querySelector('dialog[open]')) return
    this.#dialog.showModal()
    this.#field.select()
    this.#soon(0)
  }

  #soon(/** @type {number} */ pause) {
    window.clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => void this.#ask(), pause)
  }

  get #text() {
    return this.#field.value.trim()
  }

  /** Asks what there is for the text; whether the list is the answer, which a newer question or closing makes needless. */
  async #ask() {
    window.clearTimeout(this.#timer)
    this.#asking?.abort()
    const asking = new AbortController()
    this.#asking = asking
    const text = this.#text
    const query = new URLSearchParams({ q: text })
    const { zone } = this.#dialog.dataset
    if (zone) query.set('zone', zone)
    /** @type {OfferGroup[]} */
    let groups = []
    try {
      const answer = await fetch(`/palette?${query.toString()}`, {
        headers: { accept: 'application/json' },
        signal: asking.signal,
      })
      if (answer.ok) groups = (await answer.json()).groups
    } catch {
      // There is no connection, perhaps: the search is left.
    }
    if (asking.signal.aborted) return false
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
    const made = groups.map(({ label, items }, at) => {
      const id = `palette-group-${at}`
      const options = items.map((item) => option(item, number++))
      const head = element('div', { id: id, class: 'palette-head', role: 'presentation' }, [label])
      return element('div', { 'role': 'group', 'aria-labelledby': id }, [head, ...options])
    })
    const rest = text === '' ? [] : [option(everywhere, number)]
    this.#list.replaceChildren(...made, ...rest)
    this.#answered = text
    this.#field.setAttribute('aria-expanded', String(this.#options.length > 0))
    this.#moveTo(this.#options.length > 0 ? 0 : -1)
  }

  #onKey(/** @type {KeyboardEvent} */ event) {
    if (event.isComposing) return
    const { length } = this.#options
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && length > 0) {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      this.#moveTo((this.#at + step + length) % length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      void this.#enter()
    }
  }

  /** Opens what is chosen; where the list answers an older text, the first of what there is for this one. */
  async #enter() {
    if (this.#answered !== this.#text && !(await this.#ask())) return
    const option = this.#options[this.#at]
    if (option) this.#go(option)
  }

  #moveTo(/** @type {number} */ index) {
    this.#at = index
    for (const [at, option] of this.#options.entries()) {
      option.setAttribute('aria-selected', String(at === index))
    }
    const option = this.#options[index]
    if (option) {
      this.#field.setAttribute('aria-activedescendant', option.id)
      option.scrollIntoView({ block: 'nearest' })
    } else {
      this.#field.removeAttribute('aria-activedescendant')
    }
  }

  #go(/** @type {HTMLElement} */ option) {
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
