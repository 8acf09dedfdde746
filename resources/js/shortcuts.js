/*
| Keyboard shortcuts of a page. The help dialog can disable single-letter keys, for users of speech input (WCAG 2.1.4).
*/

const STORAGE_KEY = 'zonewright single keys'

/** Whether the user pressed this key without modifiers outside a form field. */
export function isSingleKey(/** @type {KeyboardEvent} */ event, /** @type {string} */ key) {
  const { target } = event
  const isTyping = target instanceof Element && target.closest('input, textarea, select, dialog')
  if (event.key !== key || isTyping || event.ctrlKey || event.metaKey || event.altKey) return false
  return localStorage.getItem(STORAGE_KEY) !== 'off'
}

/** `/` focuses the search field of the page, `?` opens the list of shortcuts. */
export function shortcuts(/** @type {Document} */ page) {
  const help = page.querySelector('dialog[data-keys]')
  const choice = help?.querySelector('[data-single-keys]')
  if (choice instanceof HTMLInputElement) {
    choice.checked = localStorage.getItem(STORAGE_KEY) !== 'off'
    choice.addEventListener('change', () => {
      localStorage.setItem(STORAGE_KEY, choice.checked ? 'on' : 'off')
    })
  }
  page.addEventListener('keydown', (event) => {
    const field = page.querySelector('[data-find]')
    if (field instanceof HTMLInputElement && isSingleKey(event, '/')) {
      event.preventDefault()
      field.focus()
      field.select()
    } else if (help instanceof HTMLDialogElement && isSingleKey(event, '?')) {
      event.preventDefault()
      help.showModal()
    }
  })
}
