/*
| What pages gain where scripts run. Everything works without: forms are sent, links are followed, and menus are
| <details>.
*/
import { menus } from './menus.js'
import { dialogs } from './dialogs.js'
import { toasts } from './toasts.js'

menus(document)
dialogs(document)
toasts(document)
