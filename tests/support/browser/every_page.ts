import router from '@adonisjs/core/services/router'

/** What the addresses of pages are made of: one of everything. */
export interface World {
  /** Of an administrator. */
  key: string
  zone: number
  record: string
  keyId: number
  deleted: number
  user: number
  group: number
  template: number
  zoneTemplate: number
  templateRecord: number
  apiKey: number
  request: number
  webhook: number
  event: number
}

/** Routes that answer no page. */
export const NO_PAGES: Record<string, string> = {
  '/assets/:hash/*': 'a file of the interface',
  '/help/images/:name': 'a picture of the documentation',
  '/live': 'a stream of events',
  '/palette': 'what the palette finds',
  '/names': 'names, for a field',
  '/audit/export': 'a file',
  '/zones/:id/export': 'a file',
  '/zones/:id/at/file': 'a file',
}

/** Pages that a world with an administrator signed in does not have, and the test that inspects them. */
export const INSPECTED_ELSEWHERE: Record<string, string> = {
  '/setup': 'live.spec.ts: there before there is an administrator',
  '/login/code': 'tasks_account.spec.ts: there for whoever showed a password',
}

/** Pages for those who did not sign in. */
export const OUTSIDE = [
  '/login',
  '/password/forgotten',
  '/password/forgotten/sent',
  '/password/reset',
]

/** Pages that no other test looks at: they are looked at in more than one way. */
export const NOWHERE_ELSE = [
  '/groups/new',
  '/permission-templates/new',
  '/zone-templates/new',
  '/zone-templates/:id/records/:recordId',
  '/zones/:id/records/:recordId/edit',
  '/zones/:id/dnssec/keys/:keyId/deactivate',
  '/server/autoprimaries/edit',
  '/server/consistency/:check',
  '/password/forgotten/sent',
  '/password/reset',
]

/** What stands for the parts of an address, and behind it. */
export function addressOf(pattern: string, world: World): string {
  const [, area] = pattern.split('/')
  const id = IDS[area]?.(world) ?? 0
  const parts: Record<string, string | number> = {
    id: pattern.startsWith('/zones/') ? world.zone : id,
    recordId: area === 'zones' ? world.record : world.templateRecord,
    keyId: world.keyId,
    entry: 2,
    kind: 'spf',
    job: 'api-keys:expire',
    check: 'strays',
  }
  const path = pattern.replace('*', 'tutorials/first-zone').replace(/:(\w+)/g, (_, name: string) => String(parts[name]))
  return `${path}${QUERIES[pattern] ?? ''}`
}

const IDS: Record<string, (world: World) => number> = {
  'users': (world) => world.user,
  'groups': (world) => world.group,
  'permission-templates': (world) => world.template,
  'zone-templates': (world) => world.zoneTemplate,
  'settings': (world) => world.apiKey,
  'requests': (world) => world.request,
  'webhooks': (world) => world.webhook,
  'audit': (world) => world.event,
  'trash': (world) => world.deleted,
}

/** Queries without which a page has nothing to show. */
const QUERIES: Record<string, string> = {
  '/search': '?q=www',
  '/zones/:id/at': '?point=2',
  '/zones/:id/diff': '?from=1',
  '/zones/:id/restore': '?point=2',
  '/zones/:id/metadata/edit': '?kind=ALSO-NOTIFY',
  '/server/autoprimaries/edit': '?ip=192.0.2.99&nameserver=ns.every-page.test',
}

/** Patterns of all that the web interface answers to GET. */
export function pagePatterns(): string[] {
  const routes = Object.values(router.toJSON()).flat()
  return (
    routes
      .filter(({ name, methods }) => name?.startsWith('web.') && methods.includes('GET'))
      .map(({ pattern }) => pattern)
      // The answers of forms are looked at by the tests that send them.
      .filter((pattern) => !pattern.endsWith('/results/:result'))
  )
}

/** Pages that `every_page.spec.ts` goes through. */
export function pictured(): string[] {
  const known = [...Object.keys(NO_PAGES), ...Object.keys(INSPECTED_ELSEWHERE)]
  return pagePatterns().filter((pattern) => !known.includes(pattern))
}

/** How pictures of a page are named before the look. */
export function fileName(pattern: string): string {
  const words = pattern.toLowerCase().match(/[a-z]+/g) ?? ['home']
  return ['every', ...words].join('-')
}
