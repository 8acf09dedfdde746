/** Gives every message a button that takes it away. */
export function toasts(/** @type {Document} */ page) {
  for (const toast of page.querySelectorAll('[data-toasts] [data-toast]')) {
    const place = toast.closest('[data-toasts]')
    if (!(place instanceof HTMLElement)) continue
    const button = page.createElement('button')
    button.type = 'button'
    button.className = 'button icon-only'
    button.textContent = '×'
    button.setAttribute('aria-label', place.dataset.close ?? '')
    button.addEventListener('click', () => toast.remove())
    toast.append(button)
  }
}
