/*
| Runs a bulk action in steps: each response contains the form of the next step. The user can stop after any step.
*/
import { element, fragment } from '../html.js'

export function bulkRun(/** @type {Document} */ page) {
  const container = page.querySelector('[data-bulk-run]')
  if (container instanceof HTMLElement) void run(container)
}

async function run(/** @type {HTMLElement} */ container) {
  const stop = { isRequested: false }
  for (;;) {
    const form = container.querySelector('form[data-bulk-rest]')
    if (!(form instanceof HTMLFormElement) || stop.isRequested) return
    addStop(form, container.dataset.stop ?? '', stop)
    const body = new URLSearchParams()
    for (const [name, value] of new FormData(form)) body.append(name, String(value))
    let response
    try {
      // `form.action` would be the field named `action`.
      const address = form.getAttribute('action') ?? ''
      response = await fetch(address, { method: 'POST', body, headers: { 'x-fragment': 'bulk' } })
    } catch {
      response = null
    }
    // A redirect is not a step.
    if (!response?.ok || response.headers.get('x-fragment') !== 'bulk') {
      // The user can submit the form and then sees the error.
      form.querySelector('[data-stop]')?.remove()
      form.querySelector('button[type=submit]')?.removeAttribute('hidden')
      return
    }
    showResults(container, await response.text())
  }
}

/** Shows a stop button instead of the submit button. */
function addStop(
  /** @type {HTMLFormElement} */ form,
  /** @type {string} */ label,
  /** @type {{ isRequested: boolean }} */ stop
) {
  const submit = form.querySelector('button[type=submit]')
  submit?.setAttribute('hidden', '')
  const button = element('button', { 'type': 'button', 'class': 'button', 'data-stop': true }, [
    label,
  ])
  button.addEventListener('click', () => {
    stop.isRequested = true
    // `disabled` would remove the focus, which moves to the result after the step.
    button.setAttribute('aria-disabled', 'true')
  })
  form.append(button)
}

/** Shows the results so far. */
function showResults(/** @type {HTMLElement} */ container, /** @type {string} */ text) {
  const hadFocus = container.querySelector('[data-stop]') === document.activeElement
  container.replaceChildren(...fragment(text))
  if (hadFocus) container.closest('main')?.focus()
}
