/*
| A choice between all and some, `<fieldset data-scope>`: whoever types or ticks which ones, below `.within`, means some.
| The server refuses what contradicts itself; without scripts it is chosen by hand.
*/

export function radioDetails(/** @type {Document} */ page) {
  for (const choice of page.querySelectorAll('fieldset[data-scope]')) {
    choice.addEventListener('input', ({ target }) => {
      if (isNamed(target)) chooseSome(choice)
    })
  }
}

/** Whether a field names what the choice is for, and is not the choice itself. */
function isNamed(/** @type {EventTarget | null} */ field) {
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
