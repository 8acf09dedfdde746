/*
| Narrows the records of a zone while somebody types, without loading the page anew. The address tells what is shown.
*/
import { fragment } from '../html.js'

/** Milliseconds without a key after which the records are asked for. */
const PAUSE = 60

/** @param {(() => void) | undefined} shown to be called when other rows are there */
export function filter(/** @type {Document} */ page, shown = undefined) {
  const form = page.querySelector('form[data-filter]')
  const place = page.querySelector('[data-records]')
  if (!(form instanceof HTMLFormElement) || !place) return
  /** @type {AbortController | undefined} */
  let running
  let timer = 0

  const load = async () => {
    const query = new URLSearchParams()
    for (const [name, value] of new FormData(form)) if (value) query.set(name, String(value))
    const text = query.toString()
    const address = text ? `${form.action}?${text}` : form.action
    running?.abort()
    running = new AbortController()
    try {
      const answer = await fetch(address, {
        headers: { 'accept': 'text/html', 'x-fragment': 'records' },
        signal: running.signal,
      })
      // What is no list of records is a page of its own: signing in, or an error.
      if (answer.headers.get('x-fragment') !== 'records') return page.location.assign(address)
      const nodes = fragment(await answer.text())
      // A row that is being typed in stays.
      if (place.querySelector('tr.editing')) return
      place.replaceChildren(...nodes)
      history.replaceState(null, '', address)
      const everything = form.querySelector('[data-everything]')
      if (everything instanceof HTMLElement) everything.hidden = text === ''
      const found = page.querySelector('[data-found]')
      if (found) found.textContent = place.querySelector('.pager p, .empty')?.textContent ?? ''
      shown?.()
    } catch {
      // A newer question took its place; or there is no connection, and the rows stay.
    }
  }
  const ask = (/** @type {number} */ pause) => {
    window.clearTimeout(timer)
    if (!place.querySelector('tr.editing')) timer = window.setTimeout(() => void load(), pause)
  }

  form.addEventListener('input', () => ask(PAUSE))
  form.addEventListener('submit', (event) => {
    if (place.querySelector('tr.editing')) return
    event.preventDefault()
    ask(0)
  })
}
