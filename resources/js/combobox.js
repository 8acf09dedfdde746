/*
| Suggests names while the user types. `data-names` selects their source (`/names?of=`). ARIA combobox pattern: the focus
| stays in the field, arrows move, Enter selects, Escape closes. In a textarea the suggestions belong to the line of the
| caret.
| `data-names-then` sets the effect of a selected name: none (fills the field), `send` (submits the form), `go` (opens its
| page), or the id of a field that collects names. Without scripts a <datalist> offers the first names.
|
| A search field also has `data-grammar`: fields and values of the search grammar. They are listed before the names. The page
| contains them, so they need no request. Tab selects the active one.
*/
import { element } from './html.js'
import { offersAt } from './search_words.js'

const PAUSE_MS = 120
/** Zone names contain no field syntax, quotes or spaces. */
const NON_NAME_CHARACTERS = /[\s:<>="*?]/
const ZONE_SOURCES = ['zones', 'hosts']

/** @typedef {{ name: string, shown?: string, href?: string }} Name */
/** @typedef {import('./search_words.js').Offer} Offer */

export function combobox(/** @type {Document} */ page) {
  for (const field of page.querySelectorAll('[data-names], [data-grammar]')) {
    const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
    if (isField) new Suggestions(field)
  }
}

class Suggestions {
  #field
  #list
  /** Suggestions for an empty field. @type {Name[]} */
  #first
  /** @type {import('./search_words.js').Field[]} */
  #grammar
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer
  /** @type {AbortController | undefined} */
  #request
  /** Whether the user opened the list with the arrow key since the last input. */
  #isListRequested = false
  #activeIndex = -1

  constructor(/** @type {HTMLInputElement | HTMLTextAreaElement} */ field) {
    this.#field = field
    const id = `${field.id}-names`
    this.#list = element('ul', {
      'class': 'suggestions',
      id,
      'role': 'listbox',
      'aria-label': document.querySelector('main')?.dataset.suggestions ?? '',
      'hidden': true,
    })
    this.#first = this.#readDatalist()
    this.#grammar = JSON.parse(field.dataset.grammar ?? '[]')
    field.after(this.#list)
    field.parentElement?.classList.add('suggests')
    // ARIA allows no `combobox` role on a textarea. Suggestions work there, too.
    if (field instanceof HTMLInputElement) field.setAttribute('role', 'combobox')
    field.setAttribute('aria-autocomplete', 'list')
    field.setAttribute('aria-controls', id)
    this.#setOpen(false)
    field.addEventListener('input', () => this.#scheduleSearch())
    field.addEventListener('keydown', (event) => this.#onKey(/** @type {KeyboardEvent} */ (event)))
    field.addEventListener('blur', () => this.#close())
    // `pointerdown` fires before the field loses the focus.
    this.#list.addEventListener('pointerdown', (event) => event.preventDefault())
    this.#list.addEventListener('click', (event) => {
      const option = event.target instanceof Element && event.target.closest('[role=option]')
      if (option instanceof HTMLElement) this.#select(option)
    })
  }

  /** Reads the names of the <datalist> that this list replaces. */
  #readDatalist() {
    const field = this.#field
    const list = field instanceof HTMLInputElement ? field.list : null
    if (!(list instanceof HTMLDataListElement)) return []
    field.removeAttribute('list')
    // Other fields may use the same <datalist>.
    if (!document.querySelector(`[list="${CSS.escape(list.id)}"]`)) list.remove()
    return [...list.options].map(({ value }) => ({ name: value }))
  }

  get #options() {
    return /** @type {HTMLElement[]} */ ([...this.#list.children])
  }

  /** Range of the typed text: the whole field, or the line of the caret in a textarea. */
  get #span() {
    const { value, selectionEnd } = this.#field
    if (this.#field instanceof HTMLInputElement) return { from: 0, to: value.length }
    const caret = selectionEnd ?? value.length
    const end = value.indexOf('\n', caret)
    return { from: value.lastIndexOf('\n', caret - 1) + 1, to: end < 0 ? value.length : end }
  }

  /** Suggestions of the search grammar for the word before the caret. */
  #grammarOffers(isListRequested = this.#isListRequested) {
    const { value, selectionEnd } = this.#field
    return offersAt(this.#grammar, value, selectionEnd ?? value.length, isListRequested)
  }

  #scheduleSearch() {
    clearTimeout(this.#timer)
    this.#isListRequested = false
    this.#timer = setTimeout(() => void this.#search(), PAUSE_MS)
  }

  async #search() {
    const { from, to } = this.#span
    const text = this.#field.value.slice(from, to).trim()
    const of = this.#field.dataset.names ?? ''
    const { offers } = this.#grammarOffers()
    this.#request?.abort()
    if (text === '') return this.#show([], this.#first)
    if (of === '' || (ZONE_SOURCES.includes(of) && NON_NAME_CHARACTERS.test(text)))
      return this.#show(offers)
    // Keeps the active option if the user opened the list.
    if (offers.length > 0) this.#show(offers, [], this.#isListRequested ? this.#activeIndex : -1)
    const request = new AbortController()
    this.#request = request
    try {
      const address = `/names?of=${of}&q=${encodeURIComponent(text)}`
      const response = await fetch(address, {
        headers: { accept: 'application/json' },
        signal: request.signal,
      })
      if (!response.ok) return this.#show(offers)
      /** @type {{ names: Name[] }} */
      const { names } = await response.json()
      // A name that is typed in full needs no suggestions.
      const isComplete = names.length === 1 && names[0].name === text && !names[0].href
      // The user may have moved to a grammar word during the request.
      this.#show(offers, isComplete ? [] : names, offers.length > 0 ? this.#activeIndex : -1)
    } catch {
      // Suggestions are optional: a failed request shows none.
    }
  }

  #show(/** @type {Offer[]} */ offers, /** @type {Name[]} */ names = [], at = -1) {
    const words = offers.map(({ text, label }) => ({
      attributes: { 'data-word': text },
      parts: [
        element('bdi', { dir: 'ltr' }, [text]),
        ...(label === '' ? [] : [' ', element('span', {}, [label])]),
      ],
    }))
    const named = names.map(({ name, shown = name, href }) => ({
      attributes: { 'data-name': name, ...(href === undefined ? {} : { 'data-href': href }) },
      parts: shown === name ? [shown] : [shown, ' ', element('small', {}, [name])],
    }))
    const options = [...words, ...named].map(({ attributes, parts }, index) => {
      const id = `${this.#list.id}-${index}`
      return element('li', { 'role': 'option', id, 'aria-selected': 'false', ...attributes }, parts)
    })
    this.#list.replaceChildren(...options)
    this.#moveTo(at)
    this.#setOpen(options.length > 0 && document.activeElement === this.#field)
  }

  #setOpen(/** @type {boolean} */ isOpen) {
    this.#list.hidden = !isOpen
    if (this.#field instanceof HTMLInputElement) {
      this.#field.setAttribute('aria-expanded', String(isOpen))
    }
  }

  #close() {
    clearTimeout(this.#timer)
    this.#isListRequested = false
    this.#request?.abort()
    this.#show([])
  }

  #onKey(/** @type {KeyboardEvent} */ event) {
    if (event.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (this.#list.hidden) {
      if (step !== 1) return
      this.#isListRequested = true
      const { offers } = this.#grammarOffers()
      const names = this.#field.value === '' ? this.#first : []
      if (offers.length + names.length > 0) {
        event.preventDefault()
        this.#show(offers, names)
      }
      return
    }
    const { length } = this.#options
    const option = this.#options[this.#activeIndex]
    const isTab = event.key === 'Tab' && !event.shiftKey && option?.dataset.word !== undefined
    if (step !== 0) {
      event.preventDefault()
      // The additional position -1 is the field itself.
      this.#moveTo(((this.#activeIndex + 1 + step + length + 1) % (length + 1)) - 1)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      this.#close()
    } else if (option && (event.key === 'Enter' || isTab)) {
      event.preventDefault()
      this.#select(option)
    }
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

  #select(/** @type {HTMLElement} */ { dataset }) {
    const { name = '', href, word } = dataset
    const field = this.#field
    if (word !== undefined) {
      field.setRangeText(word, this.#grammarOffers(true).from, field.selectionEnd ?? 0, 'end')
      field.dispatchEvent(new Event('change', { bubbles: true }))
      clearTimeout(this.#timer)
      // After an operator, suggests the values of the field.
      return this.#show(/[:<>=]$/.test(word) ? this.#grammarOffers().offers : [])
    }
    const nextStep = field.dataset.namesThen ?? ''
    if (nextStep === 'go' && href !== undefined) return location.assign(href)
    const collector = nextStep === 'send' ? null : document.getElementById(nextStep)
    if (collector instanceof HTMLTextAreaElement) {
      collector.value = [collector.value.trim(), name].filter(Boolean).join('\n')
      field.value = ''
      collector.dispatchEvent(new Event('input', { bubbles: true }))
    } else {
      const { from, to } = this.#span
      field.setRangeText(name, from, to, 'end')
      field.dispatchEvent(new Event('change', { bubbles: true }))
    }
    this.#close()
    if (nextStep === 'send') field.form?.requestSubmit()
  }
}
