/*
| Keys that work on a whole page. Those of one letter can be switched off in the dialog that lists them, for whoever
| speaks to the computer, or hits keys by accident (WCAG 2.1.4).
*/

const SWITCH = 'zonewright single keys'

/** Whether somebody pressed this key alone, and does not type. */
export function isSingleKey(/** @type {KeyboardEvent} */ event, /** @type {string} */ key) {
  const { target } = event
  const isTyping = target instanceof Element && target.closest('input, textarea, select, dialog')
  if (event.key !== key || isTyping || event.ctrlKey || event.metaKey || event.altKey) return false
  return localStorage.getItem(SWITCH) !== 'off'
}

/** `/` goes to the search of the page, `?` lists the keys. */
export function shortcuts(/** @type {Document} */ page) {
  const help = page.querySelector('dialog[data-keys]')
  const choice = help?.querySelector('[data-single-keys]')
  if (choice instanceof HTMLInputElement) {
    choice.checked = localStorage.getItem(SWITCH) !== 'off'
    choice.addEventListener('change', () => {
      localStorage.setItem(SWITCH, choice.checked ? 'on' : 'off')
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
