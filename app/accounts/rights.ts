import db from '@adonisjs/lucid/services/db'
import type { ActorGroup } from '#access/actor'
import { permissionOfId, type Permission } from '#access/permissions'
import { jsonRows, listOf } from '#database/statements/json_rows'
import { PreparedStatement, type Dialect } from '#database/statements/prepared'

/** What a user may do: by their own template, and by that of each of their groups. */
export interface Rights {
  permissions: ReadonlySet<Permission>
  /** Name of the own template; absent where there is none of that id. */
  template?: string
  groups: ActorGroup[]
}

/** One permission of one template, or a template without any. */
interface RightRow {
  /** 0 for the own template. */
  group_id: number | string
  /** Name of the template, or of the group. */
  name: string
  permission_id: number | string | null
}

/** Stands where a group's id would, for permissions of the user's own template. */
const OWN_TEMPLATE = 0

/** The columns and the rest of a select of rights, in the order of `RightRow`. */
interface RightsSource {
  columns: [groupId: string, name: string, permissionId: string]
  from: string
}

/**
 * SQL by which the rights of a user are found: by their own template, and by those of their groups.
 *
 * @param user     what gives the user's id
 * @param template what gives the id of their template
 */
function rightsSources(user: string, template: string): RightsSource[] {
  return [
    {
      columns: [String(OWN_TEMPLATE), 't.name', 'i.permission_id'],
      from: `zw_permission_templates t
        left join zw_permission_template_items i on i.template_id = t.id
        where t.id = ${template}`,
    },
    {
      columns: ['g.id', 'g.name', 'i.permission_id'],
      from: `zw_group_members m
        join zw_groups g on g.id = m.group_id
        left join zw_permission_template_items i on i.template_id = g.permission_template_id
        where m.user_id = ${user}`,
    },
  ]
}

const [BY_TEMPLATE, BY_GROUPS] = rightsSources('?', '?').map(({ columns, from }) => {
  const [groupId, name, permissionId] = columns
  return `select ${groupId} as group_id, ${name} as name, ${permissionId} as permission_id from ${from}`
})
const RIGHTS = new PreparedStatement<RightRow>(`${BY_TEMPLATE} union all ${BY_GROUPS}`)

/** Permissions of the user's own template and of each group, in one query. */
export async function rightsOf(userId: number, templateId: number): Promise<Rights> {
  return rightsFrom(await RIGHTS.rows(db.connection(), [templateId, userId]))
}

/** The rights of a user beside other columns of them: JSON; null or empty where there are none. */
export interface RightsColumns {
  own_rights: string | null
  group_rights: string | null
}

/**
 * SQL of these columns, for statements that find the user.
 *
 * @param user     what gives the user's id
 * @param template what gives the id of their template
 */
export function rightsColumns(dialect: Dialect, user: string, template: string): string {
  const [own, groups] = rightsSources(user, template).map(({ columns, from }) =>
    jsonRows(dialect, columns, from)
  )
  return `${own} as own_rights, ${groups} as group_rights`
}

/** The rights that such columns hold. */
export function rightsIn({ own_rights: own, group_rights: groups }: RightsColumns): Rights {
  const rights = [...listOf<Right>(own), ...listOf<Right>(groups)]
  return rightsFrom(
    rights.map(([id, name, permission]) => ({ group_id: id, name, permission_id: permission }))
  )
}

type Right = [groupId: number, name: string, permissionId: number | null]

/** The rights that the rows tell of. */
function rightsFrom(rows: RightRow[]): Rights {
  const permissions = new Set<Permission>()
  const groups = new Map<number, { id: number; name: string; permissions: Set<Permission> }>()
  let template: string | undefined
  for (const { group_id: groupId, name, permission_id: permissionId } of rows) {
    // MariaDB hands the numbers of a union out as text.
    const id = Number(groupId)
    const group = groups.get(id) ?? { id, name, permissions: new Set<Permission>() }
    if (id === OWN_TEMPLATE) {
      template = name
    } else {
      groups.set(id, group)
    }
    const permission = permissionId === null ? undefined : permissionOfId(Number(permissionId))
    if (permission !== undefined) {
      const held = id === OWN_TEMPLATE ? permissions : group.permissions
      held.add(permission)
    }
  }
  return {
    permissions,
    ...(template === undefined ? {} : { template }),
    groups: [...groups.values()],
  }
}
