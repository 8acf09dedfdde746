/** A tab as `@!tabs` shows it; the label is a key of the catalogue. */
export interface Tab {
  href: string
  label: string
  current: boolean
}

const TABS = ['preferences', 'password', 'second-factor', 'sessions', 'rights'] as const

/** Pages of the user's own account. */
export function accountTabs(current: (typeof TABS)[number]): Tab[] {
  return TABS.map((name) => ({
    href: `/account/${name}`,
    label: `account.${name.replace('-', '_')}`,
    current: name === current,
  }))
}
