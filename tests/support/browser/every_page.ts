import router from '@adonisjs/core/services/router'

/** Ids and keys for the addresses of pages: one object of each kind. */
export interface World {
  /** API key of an administrator. */
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

/** GET routes that do not return a page. */
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

/** Pages that a signed-in administrator cannot open, and the test that inspects each. */
export const INSPECTED_ELSEWHERE: Record<string, string> = {
  '/setup': 'live.spec.ts: there before there is an administrator',
  '/login/code': 'tasks_account.spec.ts: there for whoever showed a password',
}

/** Pages for visitors without a session. */
export const OUTSIDE = [
  '/login',
  '/password/forgotten',
  '/password/forgotten/sent',
  '/password/reset',
]

/** Pages that no other test visits. They are inspected in several appearances. */
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

/** Returns the address of a page: its parameters filled in, and its query. */
export function addressOf(pattern: string, fixtures: World): string {
  const [, area] = pattern.split('/')
  const id = IDS[area]?.(fixtures) ?? 0
  const parts: Record<string, string | number> = {
    id: pattern.startsWith('/zones/') ? fixtures.zone : id,
    recordId: area === 'zones' ? fixtures.record : fixtures.templateRecord,
    keyId: fixtures.keyId,
    entry: 2,
    kind: 'spf',
    job: 'api-keys:expire',
    check: 'strays',
  }
  const path = pattern
    .replace('*', 'tutorials/first-zone')
    .replace(/:(\w+)/g, (_, name: string) => String(parts[name]))
  return `${path}${QUERIES[pattern] ?? ''}`
}

const IDS: Record<string, (fixtures: World) => number> = {
  'users': (fixtures) => fixtures.user,
  'groups': (fixtures) => fixtures.group,
  'permission-templates': (fixtures) => fixtures.template,
  'zone-templates': (fixtures) => fixtures.zoneTemplate,
  'settings': (fixtures) => fixtures.apiKey,
  'requests': (fixtures) => fixtures.request,
  'webhooks': (fixtures) => fixtures.webhook,
  'audit': (fixtures) => fixtures.event,
  'trash': (fixtures) => fixtures.deleted,
}

/** Queries without which a page would be empty. */
const QUERIES: Record<string, string> = {
  '/search': '?q=www',
  '/zones/:id/at': '?point=2',
  '/zones/:id/diff': '?from=1',
  '/zones/:id/restore': '?point=2',
  '/zones/:id/metadata/edit': '?kind=ALSO-NOTIFY',
  '/server/autoprimaries/edit': '?ip=192.0.2.99&nameserver=ns.every-page.test',
}

/** Returns the patterns of all GET routes of the web interface. */
export function pagePatterns(): string[] {
  const routes = Object.values(router.toJSON()).flat()
  return (
    routes
      .filter(({ name, methods }) => name?.startsWith('web.') && methods.includes('GET'))
      .map(({ pattern }) => pattern)
      // The tests that send forms inspect the results of forms.
      .filter((pattern) => !pattern.endsWith('/results/:result'))
  )
}

/** Returns the patterns of the pages that `every_page.spec.ts` visits. */
export function pictured(): string[] {
  const known = [...Object.keys(NO_PAGES), ...Object.keys(INSPECTED_ELSEWHERE)]
  return pagePatterns().filter((pattern) => !known.includes(pattern))
}

/** Returns the prefix of the screenshot file of a page. */
export function fileName(pattern: string): string {
  const words = pattern
    .toLowerCase()
    .replace('*', 'page')
    .match(/[a-z]+/g) ?? ['home']
  return ['every', ...words].join('-')
}
