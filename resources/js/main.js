/*
| What pages gain where scripts run. Everything works without: forms are sent, links are followed, and menus are
| <details>.
*/
import { shortcuts } from './shortcuts.js'
import { menus } from './menus.js'
import { dialogs } from './dialogs.js'
import { editor } from './editor.js'
import { toasts } from './toasts.js'
import { busyForms } from './busy.js'

menus(document)
dialogs(document)
toasts(document)
editor(document)
shortcuts(document)
busyForms(document)

const text = document.querySelector('[data-zone-text]')
if (text instanceof HTMLElement) {
  void import('./zone_text.js').then(({ zoneText }) => zoneText(text))
}
