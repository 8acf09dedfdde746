/*
| Narrows the records of a zone while somebody types, without loading the page anew. The address tells what is shown.
*/
import { fragment } from '../html.js'
import { finishTyping } from './row_typing.js'

/** Milliseconds without a key after which the records are asked for. */
const PAUSE = 60
/** Milliseconds after which it is looked again whether nobody types in a row any more. */
const RETRY_MS = 250

/** @param {(() => void) | undefined} shown to be called when other rows are there */
export function filter(/** @type {Document} */ page, shown = undefined) {
  const form = page.querySelector('form[data-filter]')
  const place = page.querySelector('[data-records]')
  if (!(form instanceof HTMLFormElement) || !place) return
  /** @type {AbortController | undefined} */
  let running
  let timer = 0

  /** Shows other rows, once nobody types in those that are there. */
  const show = (
    /** @type {string} */ address,
    /** @type {string} */ text,
    /** @type {ChildNode[]} */ nodes
  ) => {
    if (place.querySelector('tr.editing')) {
      timer = window.setTimeout(() => show(address, text, nodes), RETRY_MS)
      return
    }
    const focus = focusIn(place)
    place.replaceChildren(...nodes)
    history.replaceState(null, '', address)
    const everything = form.querySelector('[data-everything]')
    if (everything instanceof HTMLElement) everything.hidden = text === ''
    const found = page.querySelector('[data-found]')
    if (found) found.textContent = place.querySelector('.pager p, .empty')?.textContent ?? ''
    shown?.()
    focus?.()
  }
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
      show(address, text, fragment(await answer.text()))
    } catch {
      // A newer question took its place; or there is no connection, and the rows stay.
    }
  }
  const ask = (/** @type {number} */ pause) => {
    window.clearTimeout(timer)
    // What is typed in a row is in the draft, which the rows that come show.
    finishTyping(place)
    timer = window.setTimeout(() => void load(), pause)
  }

  form.addEventListener('input', () => ask(PAUSE))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    ask(0)
  })
}

/**
 * What puts the focus back into rows that are replaced: on the cell that it was on, where the same record is there still, or on
 * the first that can have it. Nothing where it is elsewhere.
 */
function focusIn(/** @type {Element} */ place) {
  const focused = document.activeElement
  if (!focused || !place.contains(focused)) return
  const record = focused.closest('tr')?.dataset.record
  const cell = focused.closest('td')?.cellIndex
  return () => {
    const rows = /** @type {NodeListOf<HTMLTableRowElement>} */ (
      place.querySelectorAll('tr[data-record]')
    )
    const row = [...rows].find((one) => one.dataset.record === record)
    const next =
      (cell === undefined ? undefined : row?.cells[cell]) ??
      place.querySelector('[data-stop][tabindex="0"]') ??
      place.querySelector('a, button')
    if (next instanceof HTMLElement) next.focus()
  }
}
