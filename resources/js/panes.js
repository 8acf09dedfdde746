/*
| Two lists with ticks: what is typed narrows one at once, and a tick takes all that it shows. Without scripts the search is a
| form.
*/
import { element } from './html.js'

export function panes(/** @type {Document} */ page) {
  for (const pane of page.querySelectorAll('[data-pane]')) {
    if (pane instanceof HTMLElement) prepare(pane)
  }
}

function prepare(/** @type {HTMLElement} */ pane) {
  const list = pane.querySelector('.pane-list')
  const search = pane.querySelector('[data-pane-filter]')
  if (!(list instanceof HTMLElement)) return
  const entries = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[data-pane-entry]')])
  if (search instanceof HTMLInputElement) {
    search.addEventListener('input', () => {
      const wanted = search.value.trim().toLowerCase()
      for (const entry of entries) {
        const isShown = (entry.textContent ?? '').toLowerCase().includes(wanted)
        entry.hidden = !isShown
        // What is not to be seen is not sent.
        const box = boxOf(entry)
        if (!isShown && box) box.checked = false
      }
    })
  }
  if (entries.some(boxOf)) addAll(list, entries)
}

function addAll(/** @type {HTMLElement} */ list, /** @type {HTMLElement[]} */ entries) {
  const all = /** @type {HTMLInputElement} */ (element('input', { type: 'checkbox' }))
  const text = element('span', {})
  text.textContent = list.dataset.paneAll ?? ''
  const label = element('label', { class: 'check pane-all' })
  label.append(all, text)
  all.addEventListener('change', () => {
    for (const entry of entries) {
      const box = boxOf(entry)
      if (box && !entry.hidden) box.checked = all.checked
    }
  })
  list.prepend(label)
}

function boxOf(/** @type {HTMLElement} */ entry) {
  return /** @type {HTMLInputElement | null} */ (entry.querySelector('input'))
}
