/** In rows of tabs that are wider than the window, the current one is in sight, and all of the one with the focus. */
export function tabs(/** @type {Document} */ page) {
  for (const current of page.querySelectorAll('.tabs [aria-current], .nav [aria-current]')) {
    const { scrollWidth, clientWidth } = current.parentElement ?? current
    if (scrollWidth > clientWidth) current.scrollIntoView({ block: 'nearest', inline: 'center' })
  }
  // Browsers leave a link where it is as long as a part of it can be seen.
  page.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && target.matches('.tabs a, .nav a')) {
      target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    }
  })
}
