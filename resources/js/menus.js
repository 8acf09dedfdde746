/** Closes menus on a click or focus outside, and on Escape. */
export function menus(/** @type {Document} */ page) {
  const open = () => page.querySelectorAll('details[data-menu][open]')
  page.addEventListener('click', (event) => {
    for (const menu of open()) {
      if (event.target instanceof Node && !menu.contains(event.target)) menu.removeAttribute('open')
    }
  })
  page.addEventListener('focusin', (event) => {
    for (const menu of open()) {
      if (event.target instanceof Node && !menu.contains(event.target)) menu.removeAttribute('open')
    }
  })
  page.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    for (const menu of open()) {
      menu.removeAttribute('open')
      menu.querySelector('summary')?.focus()
    }
  })
}
