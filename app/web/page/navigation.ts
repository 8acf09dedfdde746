import type { Actor } from '#access/actor'
import { approval } from '#access/approval'
import { authorize, type AccessRequest } from '#access/authorize'
import { AUDIT_AREAS } from '#audit/actions'
import type { Tab } from '#web/page/account_tabs'
import { ZONE_KINDS } from '#web/format/kinds'

/** An entry of the navigation. */
export interface NavItem {
  /** Key of the catalogue. */
  label: string
  href: string
  current: boolean
}

/** Access requests, one of which must be allowed; some pages compute them from the actor. */
type AccessCheck = AccessRequest[] | ((actor: Actor) => AccessRequest[])

/** A page that the palette leads to. */
export interface PageLink {
  /** Key of the catalogue. */
  label: string
  href: string
}

const NEW_ZONE: AccessCheck = ZONE_KINDS.map((kind) => ({
  action: 'zone.create' as const,
  kind,
}))

/** A page that the navigation leads to. Pages below its address belong to it. */
interface NavPage {
  label: string
  href: string
  /** Rights of which a user needs one to see the page; absent for all users. */
  asks?: AccessCheck
  /** Pages that create an object of the list, with the required rights. */
  makes?: { label: string; href: string; asks: AccessCheck }[]
  /** Whether the feature is enabled on this installation; absent if it always is. */
  isOn?: () => boolean
  /** Pages below its address are of other sections. */
  isAlone?: boolean
}

/** Pages of one subject: the navigation links to the first visible page, and its tabs link to the others. */
interface Section {
  label: string
  pages: NavPage[]
  /** In the account menu. */
  isOwn?: boolean
}

const SECTIONS: Section[] = [
  { label: 'layout.nav_home', pages: [{ label: 'layout.nav_home', href: '/' }] },
  {
    label: 'layout.nav_zones',
    pages: [
      {
        label: 'layout.nav_zones',
        href: '/zones',
        makes: [
          { label: 'zones.new', href: '/zones/new', asks: NEW_ZONE },
          { label: 'zone.from_file_title', href: '/zones/new/file', asks: NEW_ZONE },
        ],
      },
      {
        label: 'layout.nav_templates',
        href: '/zone-templates',
        asks: [{ action: 'zone_template.view', template: null }],
        makes: [
          {
            label: 'zone_templates.new',
            href: '/zone-templates/new',
            asks: [{ action: 'zone_template.create', isGlobal: false }],
          },
        ],
      },
      { label: 'layout.nav_trash', href: '/trash' },
    ],
  },
  {
    label: 'layout.nav_requests',
    pages: [{ label: 'layout.nav_requests', href: '/requests', isOn: () => approval.isEnabled }],
  },
  {
    label: 'layout.nav_people',
    pages: [
      {
        label: 'users.title',
        href: '/users',
        asks: [{ action: 'user.list' }],
        makes: [{ label: 'users.new', href: '/users/new', asks: [{ action: 'user.create' }] }],
      },
      {
        label: 'groups.title',
        href: '/groups',
        asks: [{ action: 'group.manage' }],
        makes: [{ label: 'groups.new', href: '/groups/new', asks: [{ action: 'group.manage' }] }],
      },
      {
        label: 'templates.title',
        href: '/permission-templates',
        asks: [{ action: 'template.view' }],
        makes: [
          {
            label: 'templates.new',
            href: '/permission-templates/new',
            asks: [{ action: 'template.create', grants: new Set() }],
          },
        ],
      },
    ],
  },
  {
    label: 'layout.nav_server',
    pages: [
      { label: 'server.title', href: '/server', asks: [{ action: 'server.view_status' }] },
      {
        label: 'server.autoprimaries_title',
        href: '/server/autoprimaries',
        asks: [{ action: 'server.view_autoprimaries' }],
      },
      {
        label: 'consistency.title',
        href: '/server/consistency',
        asks: [{ action: 'server.check_consistency' }],
      },
    ],
  },
  {
    label: 'layout.nav_operations',
    pages: [
      { label: 'layout.nav_jobs', href: '/jobs', asks: [{ action: 'server.manage_jobs' }] },
      { label: 'layout.nav_outbox', href: '/outbox', asks: [{ action: 'server.manage_jobs' }] },
      {
        label: 'layout.nav_webhooks',
        href: '/webhooks',
        asks: [{ action: 'server.manage_webhooks' }],
        makes: [
          {
            label: 'webhooks.new',
            href: '/webhooks/new',
            asks: [{ action: 'server.manage_webhooks' }],
          },
        ],
      },
      {
        label: 'layout.nav_audit',
        href: '/audit',
        asks: AUDIT_AREAS.map((area) => ({ action: 'audit.view' as const, area })),
      },
      {
        label: 'layout.nav_settings',
        href: '/settings',
        isAlone: true,
        asks: [{ action: 'server.view_settings' }],
      },
    ],
  },
  {
    label: 'keys.title',
    isOwn: true,
    pages: [
      {
        label: 'keys.title',
        href: '/settings/api-keys',
        asks: ({ userId }) => [{ action: 'api_key.list', userId: userId ?? 0 }],
        makes: [
          {
            label: 'keys.new',
            href: '/settings/api-keys/new',
            asks: ({ userId }) => [{ action: 'api_key.create', userId: userId ?? 0 }],
          },
        ],
      },
    ],
  },
  {
    label: 'layout.nav_dyndns',
    isOwn: true,
    pages: [
      { label: 'dyndns.clients', href: '/dyndns', asks: [{ action: 'dyndns.use' }] },
      {
        label: 'dyndns.tokens',
        href: '/dyndns/tokens',
        asks: [{ action: 'dyndns.use' }],
        makes: [
          { label: 'dyndns.new', href: '/dyndns/tokens/new', asks: [{ action: 'dyndns.use' }] },
        ],
      },
      { label: 'dyndns.recipes', href: '/dyndns/recipes', asks: [{ action: 'dyndns.use' }] },
    ],
  },
]

/** Sections of the navigation for an actor. */
export function navigation(actor: Actor, path: string): NavItem[] {
  return sections(actor, path, false)
}

/** The sections that the menu of the account leads to. */
export function accountNavigation(actor: Actor, path: string): NavItem[] {
  return sections(actor, path, true)
}

function sections(actor: Actor, path: string, own: boolean): NavItem[] {
  return SECTIONS.filter(({ isOwn = false }) => isOwn === own).flatMap(({ label, pages }) => {
    const [first] = visiblePages(actor, pages)
    const current = pages.some((page) => isOf(page, path))
    return first ? [{ label, href: first.href, current }] : []
  })
}

/** Returns the pages of a section as tabs; empty if the section has one page. */
export function sectionTabs(actor: Actor, path: string): Tab[] {
  const section = SECTIONS.find(({ pages }) => pages.some((page) => isOf(page, path)))
  const pages = visiblePages(actor, section?.pages ?? [])
  const matching = pages.filter((page) => isOf(page, path))
  // The URL of a page may be below that of another page of its section.
  const current = Math.max(...matching.map(({ href }) => href.length))
  return pages.length > 1
    ? pages.map((page) => ({
        label: page.label,
        href: page.href,
        current: isOf(page, path) && page.href.length === current,
      }))
    : []
}

/** All pages of the navigation for an actor. */
export function pagesFor(actor: Actor): PageLink[] {
  return SECTIONS.flatMap(({ pages }) => visiblePages(actor, pages)).map(({ label, href }) => {
    return { label, href }
  })
}

/** Pages that create objects, each with its list page. */
export function creatablePages(actor: Actor): { made: PageLink; of: PageLink }[] {
  return SECTIONS.flatMap(({ pages }) => visiblePages(actor, pages)).flatMap(
    ({ makes = [], ...of }) =>
      makes.filter(({ asks }) => mayOne(actor, asks)).map((made) => ({ made, of }))
  )
}

function visiblePages(actor: Actor, pages: NavPage[]): NavPage[] {
  return pages.filter(({ asks, isOn }) => (isOn?.() ?? true) && (!asks || mayOne(actor, asks)))
}

function mayOne(actor: Actor, asks: AccessCheck): boolean {
  const requests = typeof asks === 'function' ? asks(actor) : asks
  return requests.some((request) => authorize(actor, request).allowed)
}

function isOf({ href, isAlone }: NavPage, path: string): boolean {
  return path === href || (href !== '/' && !isAlone && path.startsWith(`${href}/`))
}
