/** Removes secrets from a page before the browser stores it in the back-forward cache. */
export function hideSecrets(/** @type {Document} */ page) {
  window.addEventListener('pagehide', () => {
    for (const part of page.querySelectorAll('[data-once]')) {
      if (!(part instanceof HTMLElement)) continue
      const notice = page.createElement('p')
      notice.textContent = part.dataset.once ?? ''
      part.replaceChildren(notice)
    }
  })
}
