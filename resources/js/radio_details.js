/*
| A choice between "all" and "some", `<fieldset data-scope>`. Input below `.within` selects "some". The server rejects
| contradicting values, so the form also works without scripts.
*/

export function radioDetails(/** @type {Document} */ page) {
  for (const choice of page.querySelectorAll('fieldset[data-scope]')) {
    choice.addEventListener('input', ({ target }) => {
      if (isFilledIn(target)) chooseSome(choice)
    })
  }
}

/** Whether a field is filled in and is not one of the radio buttons. */
function isFilledIn(/** @type {EventTarget | null} */ field) {
  if (field instanceof HTMLInputElement && field.type === 'checkbox') return field.checked
  const isText =
    field instanceof HTMLTextAreaElement ||
    (field instanceof HTMLInputElement && field.type !== 'radio')
  return isText && field.value.trim() !== ''
}

function chooseSome(/** @type {Element} */ choice) {
  const some = choice.querySelector('input[type=radio][value=some]')
  if (some instanceof HTMLInputElement) some.checked = true
}
