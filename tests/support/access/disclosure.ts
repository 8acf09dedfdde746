import type { Role, Variant } from '#tests/support/access/users'
import { COMMON_PART, type Secrets } from '#tests/support/access/secret_values'
import type { Row } from '#tests/support/access/matrix_row'

/** A caller that requests foreign objects, and the kinds of objects that must stay hidden from the caller. */
export interface Prober {
  role: Role
  variant: Variant
  blindTo: (keyof Secrets['canaries'])[]
}

const ALL: Prober['blindTo'] = ['zone', 'account', 'key']

/** Every caller without a right to the objects of the other tenant. Some have a right to a few of them. */
export const PROBERS: Prober[] = [
  { role: 'nobody', variant: 'plain', blindTo: ALL },
  { role: 'stranger', variant: 'plain', blindTo: ALL },
  { role: 'viewer', variant: 'plain', blindTo: ALL },
  { role: 'client editor', variant: 'plain', blindTo: ALL },
  { role: 'editor', variant: 'plain', blindTo: ALL },
  { role: 'group owner', variant: 'plain', blindTo: ALL },
  { role: 'zone manager', variant: 'plain', blindTo: ALL },
  { role: 'zone manager', variant: 'this zone', blindTo: ALL },
  { role: 'zone manager', variant: 'pattern', blindTo: ALL },
  // A user administrator sees users and the audit log of users, which names keys.
  { role: 'user administrator', variant: 'plain', blindTo: ['zone'] },
  // Restrictions of a key limit which zones are visible, not which accounts.
  { role: 'administrator', variant: 'this zone', blindTo: ['zone'] },
]

/** Query strings that make lists show, count or sort more rows than the default. */
export function queries({ props }: Secrets): string[] {
  return [
    `q=${COMMON_PART}`,
    'page=1&per_page=1000&include=changes',
    'sort=id:desc&page=1&per_page=500',
    'sort=name:desc,id',
    'sort=zone_name',
    'sort=nonsense',
    `user_id=${props.userId}&api_key_id=${props.keyId}&zone_id=${props.zoneId}`,
    `object=zone:${props.zoneId}&action=zone&user=x`,
    `action=rrset.write&zone_id=${props.zoneId}&name=www&type=A`,
    `action=zone.view&user_id=${props.userId}`,
    `action=zone.view&api_key_id=${props.keyId}`,
  ]
}

/** Returns the row for another permission template than the seeded ones. */
export function withTemplate(row: Row, templateId: number): Row {
  const other = (path: string) =>
    path.replace(/\/permission-templates\/\d+/, `/permission-templates/${templateId}`)
  return { ...row, path: (props) => other(row.path(props)) }
}

/** Returns the row with `query` added to its own query string. */
export function withQuery(row: Row, query: string): Row {
  return {
    ...row,
    path: (props) => {
      const [path, own] = row.path(props).split('?')
      const names = new Set(new URLSearchParams(query).keys())
      const otherPairs = (own ?? '')
        .split('&')
        .filter((pair) => pair && !names.has(pair.split('=')[0]))
      return `${path}?${[...otherPairs, query].join('&')}`
    },
  }
}
