import { isLarge, loadedPages, upload } from './pages/upload.js'

/** Forms that take their time say so, and are sent once; those with much to preview say how much of it was sent. */
export function busyForms(/** @type {Document} */ page) {
  prepare(page)
  loadedPages()
  // A page that comes back from the history of the browser is ready again.
  window.addEventListener('pageshow', () => {
    for (const form of page.querySelectorAll('form[aria-busy]')) {
      form.removeAttribute('aria-busy')
      const button = form.querySelector('button[data-label]')
      if (button instanceof HTMLElement) button.textContent = button.dataset.label ?? ''
    }
  })
}

function prepare(/** @type {ParentNode} */ part) {
  for (const form of part.querySelectorAll('form[data-busy]')) {
    if (!(form instanceof HTMLFormElement)) continue
    form.addEventListener('submit', (event) => {
      if (form.ariaBusy === 'true') {
        event.preventDefault()
        return
      }
      form.ariaBusy = 'true'
      const { submitter } = event
      if (submitter instanceof HTMLButtonElement && !submitter.hasAttribute('formaction')) {
        submitter.dataset.label = submitter.textContent ?? ''
        submitter.textContent = form.dataset.busy ?? ''
      }
      if (!isLarge(form)) return
      event.preventDefault()
      upload(form, take)
    })
  }
}

/** What was answered takes the place of the form. */
function take(/** @type {Element} */ main) {
  document.querySelector('main')?.replaceWith(main)
  prepare(main)
  scrollTo(0, 0)
  if (main instanceof HTMLElement) main.focus()
}
