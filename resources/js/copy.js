/** Buttons that copy the text of their `data-copy`; they are hidden until this runs, since without it they do nothing. */
export function copyButtons(/** @type {Document} */ page) {
  for (const button of page.querySelectorAll('[data-copy]')) {
    if (button instanceof HTMLElement) button.hidden = false
  }
  page.addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest('[data-copy]')
    if (button instanceof HTMLElement) void copy(button)
  })
}

async function copy(/** @type {HTMLElement} */ button) {
  const { copy: text = '', copied = '', failed = '' } = button.dataset
  const isDone = await written(text)
  const status = button.parentElement?.querySelector('[role="status"]')
  if (!(status instanceof HTMLElement)) return
  // Emptied first, so that the same words are said again.
  status.textContent = ''
  setTimeout(() => (status.textContent = isDone ? copied : failed), 50)
  setTimeout(() => (status.textContent = ''), 4000)
}

/** Browsers have a clipboard on pages of HTTPS alone; the older way works on all, from a field in view. */
async function written(/** @type {string} */ text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return writtenFromField(text)
  }
}

function writtenFromField(/** @type {string} */ text) {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'unseen'
  // In the dialog that is open, if one is: nothing else takes the focus then.
  const place = document.querySelector('dialog[open]') ?? document.body
  place.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isDone
}
