/*
| Confirmation of destructive actions. `<details data-confirm>` contains the form. With scripts, its summary becomes a button
| that opens the form as a dialog.
*/
import { element } from './html.js'

let descriptionCount = 0

export function confirms(/** @type {Document} */ page) {
  for (const details of page.querySelectorAll('details[data-confirm]')) {
    const summary = details.querySelector('summary')
    const form = details.querySelector('form')
    if (!summary || !form) continue
    const [button, dialog] = createDialog(summary, form)
    details.replaceWith(button, dialog)
    // The server rejected the submitted form: show it again.
    if (details.hasAttribute('open')) dialog.showModal()
  }
}

/** @returns {[HTMLElement, HTMLDialogElement]} the button, and the dialog that it opens */
function createDialog(/** @type {HTMLElement} */ summary, /** @type {HTMLFormElement} */ form) {
  const text = summary.textContent ?? ''
  const label = summary.getAttribute('aria-label')
  const attributes = { 'type': 'button', 'class': summary.className, 'aria-haspopup': 'dialog' }
  const button = element('button', attributes, [text])
  if (label !== null) button.setAttribute('aria-label', label)
  const name = label ?? text.replace(/ …$/, '')
  const title = element('div', { class: 'dialog-head' }, [element('h2', {}, [name])])
  const body = element('div', { class: 'dialog-body' }, [form])
  const dialog = /** @type {HTMLDialogElement} */ (
    element('dialog', { 'class': 'dialog small', 'aria-label': name }, [title, body])
  )
  const description = form.querySelector('p')
  if (description) {
    description.id ||= `confirm-${++descriptionCount}`
    dialog.setAttribute('aria-describedby', description.id)
  }
  const cancelButton = form.querySelector('[data-confirm-back]')
  if (cancelButton instanceof HTMLElement) {
    cancelButton.hidden = false
    // Enter must not confirm a destructive action by default.
    cancelButton.autofocus = !form.querySelector('input:not([type=hidden])')
    cancelButton.addEventListener('click', () => dialog.close())
  }
  button.addEventListener('click', () => dialog.showModal())
  return [button, dialog]
}
