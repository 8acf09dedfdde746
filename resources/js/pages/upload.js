/*
| Shows the upload progress of large forms. The response replaces the main part of the page.
*/
import { element, isOwnPage, pageIn } from '../html.js'

/** Minimum form size in bytes for a progress bar. Smaller forms are sent too fast to see it. */
const MIN_PROGRESS_BYTES = 262_144

/** State of history entries that share one document. Navigation to such an entry reloads the page. */
const RELOAD_STATE = { mustReload: true }

/** Must be called once per page. */
export function reloadOnNavigation() {
  addEventListener('popstate', ({ state }) => {
    if (/** @type {typeof RELOAD_STATE | null} */ (state)?.mustReload) location.reload()
  })
}

/** Whether a form is sent by `upload`: it has `data-upload` and enough data. */
export function isLarge(/** @type {HTMLFormElement} */ form) {
  if (form.dataset.upload === undefined) return false
  const sizes = [...new FormData(form).values()].map((value) =>
    typeof value === 'string' ? value.length : value.size
  )
  return sizes.reduce((sum, size) => sum + size, 0) >= MIN_PROGRESS_BYTES
}

/**
 * Submits a form and shows its progress. If the request fails, the browser submits the form and shows the error.
 * @param {HTMLFormElement} form
 * @param {(main: Element) => void} show called with the main part of the response
 */
export function upload(form, show) {
  const bar = /** @type {HTMLProgressElement} */ (
    element('progress', {
      'class': 'progress',
      'max': '100',
      'aria-label': form.dataset.busy ?? '',
    })
  )
  const progressText = element('output', { class: 'quiet small' })
  form.append(element('div', { 'class': 'stack', 'data-uploading': true }, [bar, progressText]))
  const percent = new Intl.NumberFormat(document.documentElement.lang, { style: 'percent' })
  const request = new XMLHttpRequest()
  request.open('POST', form.action)
  request.setRequestHeader('X-Result', 'address')
  request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
    if (!lengthComputable) return
    // In steps of 10 %: screen readers announce each change.
    const step = Math.floor((10 * loaded) / total) / 10
    bar.value = (100 * loaded) / total
    if (progressText.textContent !== percent.format(step))
      progressText.textContent = percent.format(step)
  })
  request.addEventListener('load', () => {
    const { pathname } = new URL(request.responseURL)
    const isResult =
      pathname === new URL(form.action).pathname &&
      isOwnPage(request.getResponseHeader('content-security-policy'))
    const result = isResult ? pageIn(request.responseText) : null
    const mainElement = result?.querySelector('main')
    // A redirect, for example to the sign-in page.
    if (!result || !mainElement) return location.assign(request.responseURL)
    // Back leads to the form, forward to the response.
    history.replaceState(RELOAD_STATE, '')
    history.pushState(RELOAD_STATE, '', request.getResponseHeader('x-result-at') ?? location.href)
    document.title = result.title
    show(mainElement)
  })
  request.addEventListener('error', () => form.submit())
  request.send(new FormData(form))
}
