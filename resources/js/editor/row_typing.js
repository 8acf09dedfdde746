/**
 * Handles input in a row and ends the editing. Enter, "Done" and the event `finish` accept the input; Escape and "Cancel"
 * revert it.
 * @param {HTMLTableRowElement} row with its buttons
 * @param {{ onInput: () => void, refuse: () => boolean, end: () => void, done: (hasFocus: boolean) => void, cancel: () => void
 *   }} callbacks `onInput` runs after each input and `end` before `done` or `cancel`. `refuse` returns true while Enter and
 *   "Done" are not allowed. `hasFocus` is true if the focus is in the row.
 */
export function handleTyping(row, { onInput, refuse, end, done, cancel }) {
  const listening = new AbortController()
  const { signal } = listening
  const finish = (/** @type {() => void} */ callback) => {
    listening.abort()
    row.onkeydown = null
    row.oninput = null
    end()
    callback()
  }
  const accept = () => {
    if (!refuse()) finish(() => done(true))
  }
  const revert = () => finish(cancel)
  const [doneButton, cancelButton] = row.querySelectorAll('[data-act]')
  doneButton?.addEventListener('click', accept, { signal })
  cancelButton?.addEventListener('click', revert, { signal })
  row.addEventListener(
    'finish',
    () => {
      const hasFocus = row.contains(document.activeElement)
      finish(() => done(hasFocus))
    },
    { signal }
  )
  for (const event of ['input', 'change']) row.addEventListener(event, onInput, { signal })
  row.onkeydown = (event) => {
    if (event.key === 'Escape') {
      event.preventDefault()
      revert()
    } else if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault()
      accept()
    }
  }
}

/** Accepts the input of all rows in `container`, as "Done" does. */
export function finishTyping(/** @type {ParentNode} */ container) {
  for (const row of container.querySelectorAll('tr.editing')) row.dispatchEvent(new Event('finish'))
}
