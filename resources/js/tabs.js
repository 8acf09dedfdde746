/** In rows of tabs that are wider than the window, the current one is in sight. */
export function tabs(/** @type {Document} */ page) {
  for (const current of page.querySelectorAll('.tabs [aria-current], .nav [aria-current]')) {
    const { scrollWidth, clientWidth } = current.parentElement ?? current
    if (scrollWidth > clientWidth) current.scrollIntoView({ block: 'nearest', inline: 'center' })
  }
}
