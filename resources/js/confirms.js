/*
| What is asked before something is taken away: `<details data-confirm>` holds the form. Where scripts run, its summary becomes
| a button that opens the form as a dialog.
*/
import { element } from './html.js'

let asks = 0

export function confirms(/** @type {Document} */ page) {
  for (const details of page.querySelectorAll('details[data-confirm]')) {
    const summary = details.querySelector('summary')
    const form = details.querySelector('form')
    if (!summary || !form) continue
    const [button, dialog] = asked(summary, form)
    details.replaceWith(button, dialog)
    // What was typed into it was refused.
    if (details.hasAttribute('open')) dialog.showModal()
  }
}

/** @returns {[HTMLElement, HTMLDialogElement]} the button, and the dialog that it opens */
function asked(/** @type {HTMLElement} */ summary, /** @type {HTMLFormElement} */ form) {
  const text = summary.textContent ?? ''
  const label = summary.getAttribute('aria-label')
  const opens = { 'type': 'button', 'class': summary.className, 'aria-haspopup': 'dialog' }
  const button = element('button', opens, [text])
  if (label !== null) button.setAttribute('aria-label', label)
  const name = label ?? text.replace(/ …$/, '')
  const title = element('div', { class: 'dialog-head' }, [element('h2', {}, [name])])
  const body = element('div', { class: 'dialog-body' }, [form])
  const dialog = /** @type {HTMLDialogElement} */ (
    element('dialog', { 'class': 'dialog small', 'aria-label': name }, [title, body])
  )
  const description = form.querySelector('p')
  if (description) {
    description.id ||= `confirm-${++asks}`
    dialog.setAttribute('aria-describedby', description.id)
  }
  const back = form.querySelector('[data-confirm-back]')
  if (back instanceof HTMLElement) {
    back.hidden = false
    // Enter is to take nothing away by itself.
    back.autofocus = !form.querySelector('input:not([type=hidden])')
    back.addEventListener('click', () => dialog.close())
  }
  button.addEventListener('click', () => dialog.showModal())
  return [button, dialog]
}
