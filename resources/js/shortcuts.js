/** `/` goes to the search of the page, unless somebody types. */
export function shortcuts(/** @type {Document} */ page) {
  page.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, select, dialog')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    const field = page.querySelector('[data-find]')
    if (field instanceof HTMLInputElement) {
      event.preventDefault()
      field.focus()
      field.select()
    }
  })
}
