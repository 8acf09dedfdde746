const GUIDE = 'guides/web-interface'

/**
 * Sections of the documentation by path prefix, in whole segments. The longest prefix applies. A
 * route parameter matches one segment.
 */
const SECTIONS: Readonly<Record<string, string>> = {
  '/': `${GUIDE}#overview`,
  '/zones': `${GUIDE}#list-of-zones`,
  '/zones/new': `${GUIDE}#create-zones`,
  '/zones/bulk': `${GUIDE}#many-zones-at-once`,
  '/zones/:id': `${GUIDE}#edit-records`,
  '/zones/:id/wizards': `${GUIDE}#record-assistants`,
  '/zones/:id/text': `${GUIDE}#zone-text-and-zone-files`,
  '/zones/:id/import': `${GUIDE}#zone-text-and-zone-files`,
  '/zones/:id/export': `${GUIDE}#zone-text-and-zone-files`,
  '/zones/:id/history': `${GUIDE}#history-undo-and-restore`,
  '/zones/:id/at': `${GUIDE}#history-undo-and-restore`,
  '/zones/:id/diff': `${GUIDE}#history-undo-and-restore`,
  '/zones/:id/restore': `${GUIDE}#history-undo-and-restore`,
  '/zones/:id/dnssec': `${GUIDE}#dnssec`,
  '/zones/:id/metadata': `${GUIDE}#metadata`,
  '/zones/:id/owners': `${GUIDE}#users-groups-and-permissions`,
  '/trash': `${GUIDE}#trash`,
  '/zone-templates': `${GUIDE}#zone-templates`,
  '/requests': `${GUIDE}#change-requests`,
  '/users': `${GUIDE}#users-groups-and-permissions`,
  '/groups': `${GUIDE}#users-groups-and-permissions`,
  '/permission-templates': `${GUIDE}#users-groups-and-permissions`,
  '/server': `${GUIDE}#name-server`,
  '/jobs': `${GUIDE}#operations`,
  '/outbox': `${GUIDE}#operations`,
  '/webhooks': 'reference/events#webhooks',
  '/audit': 'reference/audit',
  '/settings': 'reference/settings',
  '/settings/api-keys': `${GUIDE}#api-keys`,
  '/dyndns': 'tutorials/router',
  '/search': `${GUIDE}#search`,
  '/account': `${GUIDE}#your-account`,
}

/** Documentation sections that pages link to. */
export const HELP_SECTIONS = [...new Set(Object.values(SECTIONS))]

/**
 * Address of the documentation of a page.
 *
 * @param pattern of its route, such as `/zones/:id/history`
 */
export function helpHref(pattern: string): string {
  const segments = pattern.split('/')
  for (let count = segments.length; count > 1; count--) {
    const section = SECTIONS[segments.slice(0, count).join('/')]
    if (section !== undefined) return `/help/${section}`
  }
  return pattern === '/' ? `/help/${SECTIONS['/']}` : '/help'
}
