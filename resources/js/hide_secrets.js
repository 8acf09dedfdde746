/** What is shown once is gone from a page that the browser kept and shows again. */
export function hideSecrets(/** @type {Document} */ page) {
  window.addEventListener('pagehide', () => {
    for (const part of page.querySelectorAll('[data-once]')) {
      if (!(part instanceof HTMLElement)) continue
      const words = page.createElement('p')
      words.textContent = part.dataset.once ?? ''
      part.replaceChildren(words)
    }
  })
}
