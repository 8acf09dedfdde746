/*
| Fields that take the name of a user or a group offer those that fit what is typed: `data-names` is the address that
| answers them. Without scripts their list has the first names alone, and others are typed.
*/
import { element } from './html.js'

const PAUSE_MS = 150

export function names(/** @type {Document} */ page) {
  for (const field of page.querySelectorAll('input[data-names]')) {
    const list = field instanceof HTMLInputElement ? field.list : null
    if (field instanceof HTMLInputElement && list instanceof HTMLDataListElement) {
      offer(field, list)
    }
  }
}

function offer(/** @type {HTMLInputElement} */ field, /** @type {HTMLDataListElement} */ list) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  /** @type {AbortController | undefined} */
  let asking
  const first = [...list.children]
  const ask = async () => {
    asking?.abort()
    // Before anything is typed, and when it is taken away again, the first names are offered.
    if (field.value.trim() === '') return list.replaceChildren(...first)
    asking = new AbortController()
    try {
      const address = `${field.dataset.names}&q=${encodeURIComponent(field.value.trim())}`
      const answer = await fetch(address, {
        headers: { accept: 'application/json' },
        signal: asking.signal,
      })
      if (!answer.ok) return
      /** @type {{ names: string[] }} */
      const { names: found } = await answer.json()
      list.replaceChildren(...found.map((value) => element('option', { value })))
    } catch {
      // Nobody waits for suggestions.
    }
  }
  field.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), PAUSE_MS)
  })
}
