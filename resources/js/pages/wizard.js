/*
| Adds the changes of a wizard to the draft of the zone editor. Without scripts the wizard has its own review.
*/
import { Draft } from '../editor/draft.js'

export function wizard(/** @type {Document} */ page) {
  const button = page.querySelector('button[data-into-draft]')
  const form = button?.closest('form')
  const field = form?.querySelector('input[name="changes"]')
  if (!(button instanceof HTMLButtonElement) || !(field instanceof HTMLInputElement)) return
  const { user = '', zone = '' } = button.dataset
  button.hidden = false
  button.addEventListener('click', () => {
    new Draft(user, zone).merge(JSON.parse(field.value))
    page.location.assign(`/zones/${zone}`)
  })
}
