/**
 * Ends the typing in a row: Enter, "Done" and the event `finish` keep what was typed, Escape and "Cancel" take it back.
 * @param {HTMLTableRowElement} row with its buttons
 * @param {{ end: () => void, done: () => void, cancel: () => void }} deeds `end` comes before either of the others
 */
export function endsTyping(row, { end, done, cancel }) {
  const finish = (/** @type {() => void} */ deed) => {
    row.onkeydown = null
    row.oninput = null
    row.removeEventListener('finish', keep)
    end()
    deed()
  }
  const keep = () => finish(done)
  const leave = () => finish(cancel)
  const [doneButton, cancelButton] = row.querySelectorAll('[data-act]')
  doneButton?.addEventListener('click', keep)
  cancelButton?.addEventListener('click', leave)
  row.addEventListener('finish', keep)
  row.onkeydown = (event) => {
    if (event.key === 'Escape') {
      event.preventDefault()
      leave()
    } else if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault()
      keep()
    }
  }
}
