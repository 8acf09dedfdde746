/** Gives every message a button that takes it away. */
export function toasts(/** @type {Document} */ page) {
  const place = page.querySelector('[data-toasts]')
  if (!(place instanceof HTMLElement)) return
  for (const toast of place.querySelectorAll('[data-toast]')) {
    const button = page.createElement('button')
    button.type = 'button'
    button.className = 'button icon-only'
    button.textContent = '×'
    button.setAttribute('aria-label', place.dataset.close ?? '')
    button.addEventListener('click', () => toast.remove())
    toast.append(button)
  }
}
