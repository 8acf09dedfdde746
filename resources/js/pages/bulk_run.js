/*
| What is done to many zones goes in steps: here one follows the other by itself, until somebody stops it.
*/
import { element, fragment } from '../html.js'

export function bulkRun(/** @type {Document} */ page) {
  const place = page.querySelector('[data-bulk-run]')
  if (place instanceof HTMLElement) void run(place)
}

async function run(/** @type {HTMLElement} */ place) {
  const stop = { isRequested: false }
  for (;;) {
    const form = place.querySelector('form[data-bulk-rest]')
    if (!(form instanceof HTMLFormElement) || stop.isRequested) return
    addStop(form, place.dataset.stop ?? '', stop)
    const body = new URLSearchParams()
    for (const [name, value] of new FormData(form)) body.append(name, String(value))
    let answer
    try {
      // The form has a field named `action`, too.
      const address = form.getAttribute('action') ?? ''
      answer = await fetch(address, { method: 'POST', body, headers: { 'x-fragment': 'bulk' } })
    } catch {
      answer = null
    }
    // What is led elsewhere is no step.
    if (!answer?.ok || answer.headers.get('x-fragment') !== 'bulk') {
      // The form is there: whoever sends it is told what is wrong.
      form.querySelector('[data-stop]')?.remove()
      form.querySelector('button[type=submit]')?.removeAttribute('hidden')
      return
    }
    take(place, await answer.text())
  }
}

/** While it goes on by itself, it can be stopped and not be sent. */
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
    // Disabled for good, it would lose the focus, which goes on from there when the step has ended.
    button.setAttribute('aria-disabled', 'true')
  })
  form.append(button)
}

/** Shows all that was done so far. */
function take(/** @type {HTMLElement} */ place, /** @type {string} */ text) {
  const hadFocus = place.querySelector('[data-stop]') === document.activeElement
  place.replaceChildren(...fragment(text))
  if (hadFocus) place.closest('main')?.focus()
}
