/*
| The token that the server printed stands behind the # of its address. It goes into the form, and out of the address: the
| history of the browser need not keep it.
*/

export function firstRun(/** @type {Document} */ page) {
  const field = page.querySelector('form[action="/setup"] input[name="token"]')
  if (!(field instanceof HTMLInputElement)) return
  const take = () => {
    const token = /^#token=([\w-]+)$/.exec(page.location.hash)?.[1]
    if (token === undefined) return
    field.value = token
    window.history.replaceState(null, '', page.location.pathname)
    const next = field.form?.elements.namedItem('password')
    if (next instanceof HTMLInputElement) next.focus()
  }
  take()
  // Whoever has the page open already, and opens the address there.
  window.addEventListener('hashchange', take)
}
