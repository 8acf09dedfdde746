import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import type { Tab } from '#web/page/account_tabs'

/** The parts of a group that have a page. */
export type GroupTab = 'group' | 'members' | 'zones'

/** The head of the pages of a group, with the parts that the actor may see. */
export function groupHead(
  actor: Actor,
  { id, name }: { id: number; name: string },
  current: GroupTab
): { id: number; name: string; tabs: Tab[] } {
  const path = `/groups/${id}`
  const tab = (part: GroupTab, rest: string): Tab => ({
    href: `${path}${rest}`,
    label: `groups.tab_${part}`,
    current: part === current,
  })
  const seesMembers = authorize(actor, { action: 'group.view_members' }).allowed
  return {
    id,
    name,
    tabs: [
      tab('group', ''),
      ...(seesMembers ? [tab('members', '/members')] : []),
      tab('zones', '/zones'),
    ],
  }
}
