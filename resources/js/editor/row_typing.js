/**
 * Follows the typing in a row, and ends it: Enter, "Done" and the event `finish` keep what was typed, Escape and "Cancel" take
 * it back.
 * @param {HTMLTableRowElement} row with its buttons
 * @param {{ typed: () => void, refuse: () => boolean, end: () => void, done: (isHere: boolean) => void, cancel: () => void }} deeds
 *   `typed` comes with each change, `end` before either of the others; `refuse` says whether Enter and "Done" cannot end it yet;
 *   `isHere` that the focus is in the row
 */
export function endsTyping(row, { typed, refuse, end, done, cancel }) {
  const listening = new AbortController()
  const { signal } = listening
  const finish = (/** @type {() => void} */ deed) => {
    listening.abort()
    row.onkeydown = null
    row.oninput = null
    end()
    deed()
  }
  const keep = () => {
    if (!refuse()) finish(() => done(true))
  }
  const leave = () => finish(cancel)
  const [doneButton, cancelButton] = row.querySelectorAll('[data-act]')
  doneButton?.addEventListener('click', keep, { signal })
  cancelButton?.addEventListener('click', leave, { signal })
  row.addEventListener(
    'finish',
    () => {
      const isHere = row.contains(document.activeElement)
      finish(() => done(isHere))
    },
    { signal }
  )
  for (const event of ['input', 'change']) row.addEventListener(event, typed, { signal })
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

/** Ends the typing in all rows of a place, as "Done" does. */
export function finishTyping(/** @type {ParentNode} */ place) {
  for (const row of place.querySelectorAll('tr.editing')) row.dispatchEvent(new Event('finish'))
}
