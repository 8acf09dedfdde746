import { isLarge, reloadOnNavigation, upload } from './pages/upload.js'

/** Prevents double submits: shows the `data-busy` text on the button. Large forms show upload progress. */
export function busyForms(/** @type {Document} */ page) {
  prepare(page)
  reloadOnNavigation()
  // The back-forward cache restores a page with its busy state.
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
      upload(form, replaceMain)
    })
  }
}

/** Replaces the main part of the page with the response. */
function replaceMain(/** @type {Element} */ main) {
  document.querySelector('main')?.replaceWith(main)
  prepare(main)
  scrollTo(0, 0)
  if (main instanceof HTMLElement) main.focus()
}
