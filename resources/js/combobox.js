/*
| Names that are offered while one is typed: `data-names` says of what (`/names?of=`). The pattern of a combobox with a list:
| the focus stays in the field, arrows walk through the list, Enter takes what they are at, Escape closes it. A text field of
| several lines gets suggestions for the line that is typed. What happens to a name that is taken says `data-names-then`:
| nothing (it is filled in), `send` (and the form is sent), `go` (its page is opened), or the id of a field that collects names.
| Without scripts a field has a <datalist> of the first names.
|
| A field of searches has `data-grammar`, too: what a condition can begin with, and the values of fields that take one of a few
| words, stand before the names, for the word at the caret. These come with the page. Tab takes one that the arrows are at.
*/
import { element } from './html.js'
import { offersAt } from './search_words.js'

const PAUSE_MS = 120
/** Fields, quotes and several words are no name of a zone. */
const NO_NAME = /[\s:<>="*?]/
const OF_ZONES = ['zones', 'hosts']

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
  /** What is offered before anything is typed. @type {Name[]} */
  #first
  /** @type {import('./search_words.js').Field[]} */
  #grammar
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer
  /** @type {AbortController | undefined} */
  #asking
  /** Whether the list was asked for since something was typed. */
  #isAsked = false
  #at = -1

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
    this.#first = this.#takeOptions()
    this.#grammar = JSON.parse(field.dataset.grammar ?? '[]')
    field.after(this.#list)
    field.parentElement?.classList.add('suggests')
    // A field of several lines is none, but may have suggestions all the same.
    if (field instanceof HTMLInputElement) field.setAttribute('role', 'combobox')
    field.setAttribute('aria-autocomplete', 'list')
    field.setAttribute('aria-controls', id)
    this.#tell(false)
    field.addEventListener('input', () => this.#soon())
    field.addEventListener('keydown', (event) => this.#onKey(/** @type {KeyboardEvent} */ (event)))
    field.addEventListener('blur', () => this.#close())
    // Before the field loses the focus.
    this.#list.addEventListener('pointerdown', (event) => event.preventDefault())
    this.#list.addEventListener('click', (event) => {
      const option = event.target instanceof Element && event.target.closest('[role=option]')
      if (option instanceof HTMLElement) this.#take(option)
    })
  }

  /** The names of the <datalist>, in whose place this is. */
  #takeOptions() {
    const field = this.#field
    const list = field instanceof HTMLInputElement ? field.list : null
    if (!(list instanceof HTMLDataListElement)) return []
    field.removeAttribute('list')
    // Other fields may offer the same.
    if (!document.querySelector(`[list="${CSS.escape(list.id)}"]`)) list.remove()
    return [...list.options].map(({ value }) => ({ name: value }))
  }

  get #options() {
    return /** @type {HTMLElement[]} */ ([...this.#list.children])
  }

  /** Where what is typed begins and ends: the line of the caret. */
  get #span() {
    const { value, selectionEnd } = this.#field
    if (this.#field instanceof HTMLInputElement) return { from: 0, to: value.length }
    const at = selectionEnd ?? value.length
    const end = value.indexOf('\n', at)
    return { from: value.lastIndexOf('\n', at - 1) + 1, to: end < 0 ? value.length : end }
  }

  /** What the grammar of searches has for the word before the caret. */
  #words(isAsked = this.#isAsked) {
    const { value, selectionEnd } = this.#field
    return offersAt(this.#grammar, value, selectionEnd ?? value.length, isAsked)
  }

  #soon() {
    clearTimeout(this.#timer)
    this.#isAsked = false
    this.#timer = setTimeout(() => void this.#ask(), PAUSE_MS)
  }

  async #ask() {
    const { from, to } = this.#span
    const text = this.#field.value.slice(from, to).trim()
    const of = this.#field.dataset.names ?? ''
    const { offers } = this.#words()
    this.#asking?.abort()
    if (text === '') return this.#show([], this.#first)
    if (of === '' || (OF_ZONES.includes(of) && NO_NAME.test(text))) return this.#show(offers)
    // Somebody may be at one of them already.
    if (offers.length > 0) this.#show(offers, [], this.#isAsked ? this.#at : -1)
    const asking = new AbortController()
    this.#asking = asking
    try {
      const address = `/names?of=${of}&q=${encodeURIComponent(text)}`
      const answer = await fetch(address, {
        headers: { accept: 'application/json' },
        signal: asking.signal,
      })
      if (!answer.ok) return this.#show(offers)
      /** @type {{ names: Name[] }} */
      const { names } = await answer.json()
      // What is typed in full needs no list.
      const isWhole = names.length === 1 && names[0].name === text && !names[0].href
      // Somebody may have gone to a word of the grammar meanwhile.
      this.#show(offers, isWhole ? [] : names, offers.length > 0 ? this.#at : -1)
    } catch {
      // Nobody waits for suggestions.
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
    this.#tell(options.length > 0 && document.activeElement === this.#field)
  }

  #tell(/** @type {boolean} */ isOpen) {
    this.#list.hidden = !isOpen
    if (this.#field instanceof HTMLInputElement) {
      this.#field.setAttribute('aria-expanded', String(isOpen))
    }
  }

  #close() {
    clearTimeout(this.#timer)
    this.#isAsked = false
    this.#asking?.abort()
    this.#show([])
  }

  #onKey(/** @type {KeyboardEvent} */ event) {
    if (event.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (this.#list.hidden) {
      if (step !== 1) return
      this.#isAsked = true
      const { offers } = this.#words()
      const names = this.#field.value === '' ? this.#first : []
      if (offers.length + names.length > 0) {
        event.preventDefault()
        this.#show(offers, names)
      }
      return
    }
    const { length } = this.#options
    const option = this.#options[this.#at]
    const isTab = event.key === 'Tab' && !event.shiftKey && option?.dataset.word !== undefined
    if (step !== 0) {
      event.preventDefault()
      // One place more than there are options: the field itself.
      this.#moveTo(((this.#at + 1 + step + length + 1) % (length + 1)) - 1)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      this.#close()
    } else if (option && (event.key === 'Enter' || isTab)) {
      event.preventDefault()
      this.#take(option)
    }
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

  #take(/** @type {HTMLElement} */ { dataset }) {
    const { name = '', href, word } = dataset
    const field = this.#field
    if (word !== undefined) {
      field.setRangeText(word, this.#words(true).from, field.selectionEnd ?? 0, 'end')
      field.dispatchEvent(new Event('change', { bubbles: true }))
      clearTimeout(this.#timer)
      // What a field takes comes right behind it.
      return this.#show(/[:<>=]$/.test(word) ? this.#words().offers : [])
    }
    const then = field.dataset.namesThen ?? ''
    if (then === 'go' && href !== undefined) return location.assign(href)
    const into = then === 'send' ? null : document.getElementById(then)
    if (into instanceof HTMLTextAreaElement) {
      into.value = [into.value.trim(), name].filter(Boolean).join('\n')
      field.value = ''
      into.dispatchEvent(new Event('input', { bubbles: true }))
    } else {
      const { from, to } = this.#span
      field.setRangeText(name, from, to, 'end')
      field.dispatchEvent(new Event('change', { bubbles: true }))
    }
    this.#close()
    if (then === 'send') field.form?.requestSubmit()
  }
}
