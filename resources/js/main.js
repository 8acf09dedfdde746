/*
| Enhancements for browsers with scripts. Every function works without them: forms submit, links navigate, menus are
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
import { combobox } from './combobox.js'
import { selection } from './selection.js'
import { bulkRun } from './pages/bulk_run.js'
import { panes } from './panes.js'
import { busyForms } from './busy.js'
import { copyButtons } from './copy.js'
import { radioDetails } from './radio_details.js'
import { hideSecrets } from './hide_secrets.js'
import { live } from './live.js'
import { palette } from './palette.js'
import { wizard } from './pages/wizard.js'
import { firstRun } from './pages/first_run.js'

menus(document)
tabs(document)
dialogs(document)
confirms(document)
toasts(document)
filter(document, editor(document))
shortcuts(document)
combobox(document)
selection(document)
bulkRun(document)
panes(document)
busyForms(document)
copyButtons(document)
hideSecrets(document)
radioDetails(document)
palette(document)
live(document)
wizard(document)
firstRun(document)

const text = document.querySelector('[data-zone-text]')
if (text instanceof HTMLElement) {
  void import('./zone_text.js').then(({ zoneText }) => zoneText(text))
}
