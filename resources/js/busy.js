/** Forms that take their time say so, and are sent once; those with a file say how much of it was sent. */
export function busyForms(/** @type {Document} */ page) {
  for (const form of page.querySelectorAll('form[data-busy]')) {
    if (!(form instanceof HTMLFormElement)) continue
    form.addEventListener('submit', (event) => {
      if (form.ariaBusy === 'true') {
        event.preventDefault()
        return
      }
      form.ariaBusy = 'true'
      const { submitter } = event
      if (submitter instanceof HTMLButtonElement && !submitter.formAction.endsWith('/text')) {
        submitter.dataset.label = submitter.textContent ?? ''
        submitter.textContent = form.dataset.busy ?? ''
      }
    })
  }
  // A page that comes back from the history of the browser is ready again.
  window.addEventListener('pageshow', () => {
    for (const form of page.querySelectorAll('form[aria-busy]')) {
      form.removeAttribute('aria-busy')
      const button = form.querySelector('button[data-label]')
      if (button instanceof HTMLElement) button.textContent = button.dataset.label ?? ''
    }
  })
}
