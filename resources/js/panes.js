/*
| Two lists with checkboxes. The text field filters a list while the user types. One checkbox selects all visible entries.
| Without scripts the filter is a form.
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
      const query = search.value.trim().toLowerCase()
      for (const entry of entries) {
        const isShown = (entry.textContent ?? '').toLowerCase().includes(query)
        entry.hidden = !isShown
        // Hidden entries must not be submitted.
        const box = boxOf(entry)
        if (!isShown && box) box.checked = false
      }
    })
  }
  if (entries.some(boxOf)) addSelectAll(list, entries)
}

function addSelectAll(/** @type {HTMLElement} */ list, /** @type {HTMLElement[]} */ entries) {
  const selectAll = /** @type {HTMLInputElement} */ (element('input', { type: 'checkbox' }))
  const text = element('span', {})
  text.textContent = list.dataset.paneAll ?? ''
  const label = element('label', { class: 'check pane-all' })
  label.append(selectAll, text)
  selectAll.addEventListener('change', () => {
    for (const entry of entries) {
      const box = boxOf(entry)
      if (box && !entry.hidden) box.checked = selectAll.checked
    }
  })
  list.prepend(label)
}

function boxOf(/** @type {HTMLElement} */ entry) {
  return /** @type {HTMLInputElement | null} */ (entry.querySelector('input'))
}
