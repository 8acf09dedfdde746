/** Adds a close button to every flash message. */
export function toasts(/** @type {Document} */ page) {
  for (const toast of page.querySelectorAll('[data-toasts] [data-toast]')) {
    const container = toast.closest('[data-toasts]')
    if (!(container instanceof HTMLElement)) continue
    const button = page.createElement('button')
    button.type = 'button'
    button.className = 'button icon-only'
    button.textContent = '×'
    button.setAttribute('aria-label', container.dataset.close ?? '')
    button.addEventListener('click', () => toast.remove())
    toast.append(button)
  }
}
