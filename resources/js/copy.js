/** Activates buttons that copy their `data-copy` text. They are hidden without scripts. */
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
  const isDone = await writeClipboard(text)
  const status = button.parentElement?.querySelector('[role="status"]')
  if (!(status instanceof HTMLElement)) return
  // Cleared first, so that screen readers announce the same text again.
  status.textContent = ''
  setTimeout(() => (status.textContent = isDone ? copied : failed), 50)
  setTimeout(() => (status.textContent = ''), 4000)
}

/** Writes to the clipboard. The Clipboard API requires HTTPS; other pages use `execCommand`, which needs a visible field. */
async function writeClipboard(/** @type {string} */ text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyFromField(text)
  }
}

function copyFromField(/** @type {string} */ text) {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'unseen'
  // An open modal dialog makes all elements outside it inert.
  const container = document.querySelector('dialog[open]') ?? document.body
  container.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isDone
}
