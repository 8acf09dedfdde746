/*
| The server prints a setup URL with the token after `#`. The token is copied to the form and removed from
| the URL: it must not stay in the browser history.
*/

export function firstRun(/** @type {Document} */ page) {
  const field = page.querySelector('form[action="/setup"] input[name="token"]')
  if (!(field instanceof HTMLInputElement)) return
  const readToken = () => {
    const token = /^#token=([\w-]+)$/.exec(page.location.hash)?.[1]
    if (token === undefined) return
    field.value = token
    window.history.replaceState(null, '', page.location.pathname)
    const next = field.form?.elements.namedItem('password')
    if (next instanceof HTMLInputElement) next.focus()
  }
  readToken()
  // The user may open the URL in a window that already shows this page.
  window.addEventListener('hashchange', readToken)
}
