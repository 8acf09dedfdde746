/*
| What pages gain where scripts run. Everything works without: forms are sent, links are followed, and menus are
| <details>.
*/
import { shortcuts } from './shortcuts.js'
import { menus } from './menus.js'
import { tabs } from './tabs.js'
import { dialogs } from './dialogs.js'
import { confirms } from './confirms.js'
import { editor } from './editor/editor.js'
import { filter } from './editor/filter.js'
import { toasts } from './toasts.js'
import { suggestions } from './suggestions.js'
import { selection } from './selection.js'
import { bulkRun } from './bulk_run.js'
import { panes } from './panes.js'
import { busyForms } from './busy.js'
import { copyButtons } from './copy.js'
import { scopes } from './scopes.js'
import { onceParts } from './once.js'
import { live } from './live.js'
import { palette } from './palette.js'
import { wizard } from './wizard.js'
import { firstRun } from './first_run.js'

menus(document)
tabs(document)
dialogs(document)
confirms(document)
toasts(document)
filter(document, editor(document))
shortcuts(document)
suggestions(document)
selection(document)
bulkRun(document)
panes(document)
busyForms(document)
copyButtons(document)
onceParts(document)
scopes(document)
palette(document)
live(document)
wizard(document)
firstRun(document)

const text = document.querySelector('[data-zone-text]')
if (text instanceof HTMLElement) {
  void import('./zone_text.js').then(({ zoneText }) => zoneText(text))
}
