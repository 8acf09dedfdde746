/*
| Forms with much in them say how much of it was sent. What is answered takes the place of the main part of the page.
*/
import { element, isOwnPage, pageIn } from '../html.js'

/** Bytes of a form below which nobody would see it being sent. */
const WORTH_TELLING = 262_144

/** State of pages of the history that are in one document: whoever goes to one of them gets it loaded. */
const LOADED = { isLoaded: true }

/** To be called once a page. */
export function loadedPages() {
  addEventListener('popstate', ({ state }) => {
    if (/** @type {typeof LOADED | null} */ (state)?.isLoaded) location.reload()
  })
}

/** Whether a form is to be sent by `upload`: it previews, and what it sends takes its time. */
export function isLarge(/** @type {HTMLFormElement} */ form) {
  if (form.dataset.upload === undefined) return false
  const sizes = [...new FormData(form).values()].map((value) =>
    typeof value === 'string' ? value.length : value.size
  )
  return sizes.reduce((sum, size) => sum + size, 0) >= WORTH_TELLING
}

/**
 * Sends a form and shows how far it is. Where that fails, the browser sends it, and tells why.
 * @param {HTMLFormElement} form
 * @param {(main: Element) => void} show what is to be done with the answer
 */
export function upload(form, show) {
  const bar = /** @type {HTMLProgressElement} */ (
    element('progress', {
      'class': 'progress',
      'max': '100',
      'aria-label': form.dataset.busy ?? '',
    })
  )
  const told = element('output', { class: 'quiet small' })
  form.append(element('div', { 'class': 'stack', 'data-uploading': true }, [bar, told]))
  const percent = new Intl.NumberFormat(document.documentElement.lang, { style: 'percent' })
  const request = new XMLHttpRequest()
  request.open('POST', form.action)
  request.setRequestHeader('X-Result', 'address')
  request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
    if (!lengthComputable) return
    // In whole steps: a voice that reads them aloud has to come along.
    const step = Math.floor((10 * loaded) / total) / 10
    bar.value = (100 * loaded) / total
    if (told.textContent !== percent.format(step)) told.textContent = percent.format(step)
  })
  request.addEventListener('load', () => {
    const { pathname } = new URL(request.responseURL)
    const isAnswer =
      pathname === new URL(form.action).pathname &&
      isOwnPage(request.getResponseHeader('content-security-policy'))
    const main = isAnswer ? pageIn(request.responseText) : null
    const shown = main?.querySelector('main')
    // Signing in, for one.
    if (!main || !shown) return location.assign(request.responseURL)
    // Going back leads to the form, and coming back to what was answered.
    history.replaceState(LOADED, '')
    history.pushState(LOADED, '', request.getResponseHeader('x-result-at') ?? location.href)
    document.title = main.title
    show(shown)
  })
  request.addEventListener('error', () => form.submit())
  request.send(new FormData(form))
}
