/*
| Suggestions below a search: fields with `data-suggest`, the address that answers them. The pattern of a combobox with
| a list: the focus stays in the field, arrows walk through the list, Enter goes to what they are at, Escape closes it.
*/
import { element } from './html.js'

const PAUSE_MS = 120

export function suggestions(/** @type {Document} */ page) {
  for (const field of page.querySelectorAll('input[data-suggest]')) {
    if (field instanceof HTMLInputElement) new Suggestions(field)
  }
}

class Suggestions {
  #field
  #list
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer
  /** @type {AbortController | undefined} */
  #asking
  #at = -1

  constructor(/** @type {HTMLInputElement} */ field) {
    this.#field = field
    const id = `${field.id}-suggestions`
    this.#list = element('ul', {
      'class': 'suggestions',
      id,
      'role': 'listbox',
      'aria-label': field.dataset.suggestLabel ?? '',
      'hidden': true,
    })
    field.after(this.#list)
    field.setAttribute('role', 'combobox')
    field.setAttribute('aria-autocomplete', 'list')
    field.setAttribute('aria-expanded', 'false')
    field.setAttribute('aria-controls', id)
    field.addEventListener('input', () => this.#soon())
    field.addEventListener('keydown', (event) => this.#onKey(event))
    field.addEventListener('blur', () => this.#close())
    // Before the field loses the focus.
    this.#list.addEventListener('pointerdown', (event) => event.preventDefault())
    this.#list.addEventListener('click', (event) => {
      const option = event.target instanceof Element && event.target.closest('[role=option]')
      if (option instanceof HTMLElement) this.#go(option)
    })
  }

  get #options() {
    return /** @type {HTMLElement[]} */ ([...this.#list.children])
  }

  #soon() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#ask(), PAUSE_MS)
  }

  async #ask() {
    const text = this.#field.value.trim()
    this.#asking?.abort()
    // Fields, quotes and several words are no name.
    if (text.length < 2 || /[\s:<>="*?]/.test(text)) return this.#close()
    const asking = new AbortController()
    this.#asking = asking
    try {
      const address = `${this.#field.dataset.suggest}?q=${encodeURIComponent(text)}`
      const answer = await fetch(address, {
        headers: { accept: 'application/json' },
        signal: asking.signal,
      })
      if (!answer.ok) return this.#close()
      /** @type {{ zones: { id: number, name: string, shown: string }[] }} */
      const { zones } = await answer.json()
      this.#show(zones)
    } catch {
      // Nobody waits for suggestions.
    }
  }

  #show(/** @type {{ id: number, name: string, shown: string }[]} */ zones) {
    this.#at = -1
    this.#field.removeAttribute('aria-activedescendant')
    const options = zones.map(({ id, name, shown }) => {
      const parts = shown === name ? [shown] : [shown, ' ', element('small', {}, [name])]
      const attributes = {
        'role': 'option',
        'id': `${this.#list.id}-${id}`,
        'aria-selected': 'false',
        'data-href': `/zones/${id}`,
        'data-name': name,
      }
      return element('li', attributes, parts)
    })
    this.#list.replaceChildren(...options)
    const isOpen = options.length > 0 && document.activeElement === this.#field
    this.#list.hidden = !isOpen
    this.#field.setAttribute('aria-expanded', String(isOpen))
  }

  #close() {
    clearTimeout(this.#timer)
    this.#asking?.abort()
    this.#show([])
  }

  #onKey(/** @type {KeyboardEvent} */ event) {
    if (event.isComposing || this.#list.hidden) return
    const { length } = this.#options
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      // One place more than there are options: the field itself.
      this.#moveTo(((this.#at + 1 + step + length + 1) % (length + 1)) - 1)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      this.#close()
    } else if (event.key === 'Enter' && this.#at >= 0) {
      event.preventDefault()
      this.#go(this.#options[this.#at])
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

  /** Goes to the zone; adds it to the field that collects names, or sends the form with it, where `suggest-into` names one. */
  #go(/** @type {HTMLElement} */ option) {
    const into = document.getElementById(this.#field.dataset.suggestInto ?? '')
    if (into instanceof HTMLTextAreaElement) {
      into.value = [into.value.trim(), option.dataset.name ?? ''].filter(Boolean).join('\n')
      this.#field.value = ''
      into.dispatchEvent(new Event('input', { bubbles: true }))
      return this.#close()
    }
    if (into instanceof HTMLInputElement) {
      into.value = option.dataset.name ?? ''
      this.#close()
      return into.form?.requestSubmit()
    }
    location.assign(option.dataset.href ?? '/zones')
  }
}
