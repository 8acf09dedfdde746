/** Buttons that open and close dialogs. `data-opens` and `data-closes` contain the id of the dialog. */
export function dialogs(/** @type {Document} */ page) {
  page.addEventListener('click', (event) => {
    const button =
      event.target instanceof Element && event.target.closest('[data-opens], [data-closes]')
    if (!(button instanceof HTMLElement)) return
    const { opens, closes } = button.dataset
    const dialog = page.getElementById(opens ?? closes ?? '')
    if (!(dialog instanceof HTMLDialogElement)) return
    if (opens) dialog.showModal()
    else dialog.close()
  })
}
