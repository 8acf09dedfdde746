import type { Actor } from '#access/actor'
import { authorize, type AccessRequest } from '#access/authorize'
import type { Tab } from '#web/account_tabs'

/** An entry of the navigation. */
export interface NavItem {
  /** Key of the catalogue. */
  label: string
  href: string
  current: boolean
}

/** A page that the navigation leads to. Pages below its address belong to it. */
interface NavPage {
  label: string
  href: string
  /** What somebody must be allowed, one of them, for the page to be of use to them; everybody where it is absent. */
  asks?: AccessRequest[]
}

/** Pages about the same thing: the navigation leads to the first that is shown, whose tabs lead to the others. */
interface Section {
  label: string
  pages: NavPage[]
}

const SECTIONS: Section[] = [
  { label: 'nav.home', pages: [{ label: 'nav.home', href: '/' }] },
  { label: 'nav.zones', pages: [{ label: 'nav.zones', href: '/zones' }] },
  {
    label: 'nav.templates',
    pages: [
      {
        label: 'nav.templates',
        href: '/zone-templates',
        asks: [{ action: 'zone_template.view', template: null }],
      },
    ],
  },
  {
    label: 'nav.dyndns',
    pages: [
      { label: 'dyndns.clients', href: '/dyndns', asks: [{ action: 'dyndns.use' }] },
      { label: 'dyndns.tokens', href: '/dyndns/tokens', asks: [{ action: 'dyndns.use' }] },
      { label: 'dyndns.recipes', href: '/dyndns/recipes', asks: [{ action: 'dyndns.use' }] },
    ],
  },
  { label: 'nav.trash', pages: [{ label: 'nav.trash', href: '/trash' }] },
]

/** The sections that somebody can go to from everywhere. */
export function navigation(actor: Actor, path: string): NavItem[] {
  return SECTIONS.flatMap(({ label, pages }) => {
    const [first] = shown(actor, pages)
    const current = pages.some((page) => isOf(page, path))
    return first ? [{ label, href: first.href, current }] : []
  })
}

/** The pages of the section that a page belongs to, as tabs; none where it is alone. */
export function sectionTabs(actor: Actor, path: string): Tab[] {
  const section = SECTIONS.find(({ pages }) => pages.some((page) => isOf(page, path)))
  const pages = shown(actor, section?.pages ?? [])
  // Of pages whose addresses lie below each other, the longest is meant.
  const current = pages
    .filter((page) => isOf(page, path))
    .toSorted((one, other) => other.href.length - one.href.length)
    .at(0)
  return pages.length > 1 ? pages.map((page) => tabOf(page, page === current)) : []
}

function tabOf({ label, href }: NavPage, current: boolean): Tab {
  return { label, href, current }
}

function shown(actor: Actor, pages: NavPage[]): NavPage[] {
  return pages.filter(
    ({ asks }) => !asks || asks.some((request) => authorize(actor, request).allowed)
  )
}

function isOf({ href }: NavPage, path: string): boolean {
  return path === href || (href !== '/' && path.startsWith(`${href}/`))
}
