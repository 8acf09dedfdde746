import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import type { Tab } from '#web/page/account_tabs'

/** The parts of a user that have a page. */
export type UserTab = 'account' | 'rights' | 'sessions'

/** The head of every page of a user. */
export interface UserHead {
  id: number
  username: string
  isSelf: boolean
  /** Whether the way to the list is of use to the visitor. */
  mayList: boolean
  tabs: Tab[]
}

/** The head of the pages of a user, with the parts that the actor may see. */
export function userHead(
  actor: Actor,
  { id, username }: { id: number; username: string },
  current: UserTab
): UserHead {
  const path = `/users/${id}`
  const tabs: Tab[] = [
    { href: path, label: 'users.account', current: current === 'account' },
    { href: `${path}/rights`, label: 'users.rights', current: current === 'rights' },
  ]
  if (authorize(actor, { action: 'user.manage_sign_in' }).allowed) {
    tabs.push({
      href: `${path}/sessions`,
      label: 'users.sessions',
      current: current === 'sessions',
    })
  }
  const mayList = authorize(actor, { action: 'user.list' }).allowed
  return { id, username, isSelf: actor.userId === id, mayList, tabs }
}
