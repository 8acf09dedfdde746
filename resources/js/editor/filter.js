/*
| Filters the records of a zone while the user types, without a page load. The URL contains the filter.
*/
import { fragment } from '../html.js'
import { finishTyping } from './row_typing.js'

/** Milliseconds without input before the records are requested. */
const PAUSE_MS = 60
/** Milliseconds between two checks whether the user still edits a row. */
const RETRY_MS = 250

/** @param {(() => void) | undefined} shown called after the rows were replaced */
export function filter(/** @type {Document} */ page, shown = undefined) {
  const form = page.querySelector('form[data-filter]')
  const container = page.querySelector('[data-records]')
  if (!(form instanceof HTMLFormElement) || !container) return
  /** @type {AbortController | undefined} */
  let running
  let timer = 0

  /** Replaces the rows, once no row is being edited. */
  const show = (
    /** @type {string} */ address,
    /** @type {string} */ text,
    /** @type {ChildNode[]} */ nodes
  ) => {
    if (container.querySelector('tr.editing')) {
      timer = window.setTimeout(() => show(address, text, nodes), RETRY_MS)
      return
    }
    const restoreFocus = focusRestorer(container)
    container.replaceChildren(...nodes)
    history.replaceState(null, '', address)
    const showAllLink = form.querySelector('[data-everything]')
    if (showAllLink instanceof HTMLElement) showAllLink.hidden = text === ''
    const status = page.querySelector('[data-found]')
    if (status) status.textContent = container.querySelector('.pager p, .empty')?.textContent ?? ''
    shown?.()
    restoreFocus?.()
  }
  const load = async () => {
    const query = new URLSearchParams()
    for (const [name, value] of new FormData(form)) if (value) query.set(name, String(value))
    const text = query.toString()
    const address = text ? `${form.action}?${text}` : form.action
    running?.abort()
    running = new AbortController()
    try {
      const response = await fetch(address, {
        headers: { 'accept': 'text/html', 'x-fragment': 'records' },
        signal: running.signal,
      })
      // Any other page, such as sign-in or an error, is opened as a page.
      if (response.headers.get('x-fragment') !== 'records') return page.location.assign(address)
      show(address, text, fragment(await response.text()))
    } catch {
      // A newer request replaced this one, or the connection failed. The rows stay.
    }
  }
  const schedule = (/** @type {number} */ pause) => {
    window.clearTimeout(timer)
    // The draft then contains the unfinished edits, and the new rows show them.
    finishTyping(container)
    timer = window.setTimeout(() => void load(), pause)
  }

  form.addEventListener('input', () => schedule(PAUSE_MS))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    schedule(0)
  })
}

/**
 * Returns a function that restores the focus after the rows were replaced: to the same cell of the same record, or else to the
 * first focusable element. Returns undefined if the focus is outside `container`.
 */
function focusRestorer(/** @type {Element} */ container) {
  const focused = document.activeElement
  if (!focused || !container.contains(focused)) return
  const record = focused.closest('tr')?.dataset.record
  const cell = focused.closest('td')?.cellIndex
  return () => {
    const rows = /** @type {NodeListOf<HTMLTableRowElement>} */ (
      container.querySelectorAll('tr[data-record]')
    )
    const row = [...rows].find((candidate) => candidate.dataset.record === record)
    const next =
      (cell === undefined ? undefined : row?.cells[cell]) ??
      container.querySelector('[data-stop][tabindex="0"]') ??
      container.querySelector('a, button')
    if (next instanceof HTMLElement) next.focus()
  }
}
