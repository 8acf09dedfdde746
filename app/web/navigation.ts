import type { Actor } from '#access/actor'

/** An entry of the navigation. */
export interface NavItem {
  /** Key of the catalogue. */
  label: string
  href: string
  current: boolean
}

const PAGES: { label: string; href: string; isOf(path: string): boolean }[] = [
  { label: 'nav.home', href: '/', isOf: (path) => path === '/' },
  { label: 'nav.zones', href: '/zones', isOf: (path) => /^\/zones(\/|$)/.test(path) },
  { label: 'nav.trash', href: '/trash', isOf: (path) => /^\/trash(\/|$)/.test(path) },
]

/** The pages that somebody can go to from everywhere. */
export function navigation(_: Actor, path: string): NavItem[] {
  return PAGES.map(({ label, href, isOf }) => ({ label, href, current: isOf(path) }))
}
