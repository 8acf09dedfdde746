/** Scrolls tab rows that are wider than the window: the current tab and the focused tab are completely visible. */
export function tabs(/** @type {Document} */ page) {
  for (const current of page.querySelectorAll('.tabs [aria-current], .nav [aria-current]')) {
    const { scrollWidth, clientWidth } = current.parentElement ?? current
    if (scrollWidth > clientWidth) current.scrollIntoView({ block: 'nearest', inline: 'center' })
  }
  // Browsers do not scroll to a focused link that is partly visible.
  page.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && target.matches('.tabs a, .nav a')) {
      target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    }
  })
}
