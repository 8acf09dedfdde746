import db from '@adonisjs/lucid/services/db'
import type { ActorGroup } from '#access/actor'
import { permissionOfId, type Permission } from '#access/permissions'
import { jsonRows, listOf } from '#database/statements/json_rows'
import { PreparedStatement } from '#database/statements/prepared'
import type { SqlDialect } from '#database/dialects/sql_dialect'

/** Permissions of a user, from the user's template and from each group's template. */
export interface Rights {
  permissions: ReadonlySet<Permission>
  /** Name of the user's template; absent if it does not exist. */
  template?: string
  groups: ActorGroup[]
}

/** One permission of one template, or a template without permissions. */
interface RightRow {
  /** 0 for the user's template. */
  group_id: number | string
  /** Name of the template, or of the group. */
  name: string
  permission_id: number | string | null
}

/** Stands for the group id in permissions of the user's template. */
const USER_TEMPLATE_GROUP_ID = 0

/** Columns and FROM clause of a select of rights, in the order of `RightRow`. */
interface RightsSource {
  columns: [groupId: string, name: string, permissionId: string]
  from: string
}

/**
 * SQL for the rights of a user, from the user's template and from groups.
 *
 * @param user SQL expression for the user id
 * @param template SQL expression for the id of the user's template
 */
function rightsSources(user: string, template: string): RightsSource[] {
  return [
    {
      columns: [String(USER_TEMPLATE_GROUP_ID), 't.name', 'i.permission_id'],
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
const RIGHTS_QUERY = new PreparedStatement<RightRow>(`${BY_TEMPLATE} union all ${BY_GROUPS}`)

/** Returns the permissions from the user's template and from each group, in one query. */
export async function loadRights(userId: number, templateId: number): Promise<Rights> {
  return buildRights(await RIGHTS_QUERY.rows(db.connection(), [templateId, userId]))
}

/** Rights as JSON columns of a user row; null or empty without rights. */
export interface RightsColumns {
  own_rights: string | null
  group_rights: string | null
}

/**
 * SQL of these columns, for statements that select users.
 *
 * @param user SQL expression for the user id
 * @param template SQL expression for the id of the user's template
 */
export function rightsColumns(dialect: SqlDialect, user: string, template: string): string {
  const [ownRights, groups] = rightsSources(user, template).map(({ columns, from }) =>
    jsonRows(dialect, columns, from)
  )
  return `${ownRights} as own_rights, ${groups} as group_rights`
}

/** Parses the rights in these columns. */
export function parseRights({
  own_rights: ownRights,
  group_rights: groups,
}: RightsColumns): Rights {
  const rights = [...listOf<Right>(ownRights), ...listOf<Right>(groups)]
  return buildRights(
    rights.map(([id, name, permission]) => ({ group_id: id, name, permission_id: permission }))
  )
}

type Right = [groupId: number, name: string, permissionId: number | null]

function buildRights(rows: RightRow[]): Rights {
  const permissions = new Set<Permission>()
  const groups = new Map<number, { id: number; name: string; permissions: Set<Permission> }>()
  let template: string | undefined
  for (const { group_id: groupId, name, permission_id: permissionId } of rows) {
    // MariaDB returns the numbers of a union as text.
    const id = Number(groupId)
    const group = groups.get(id) ?? { id, name, permissions: new Set<Permission>() }
    if (id === USER_TEMPLATE_GROUP_ID) {
      template = name
    } else {
      groups.set(id, group)
    }
    const permission = permissionId === null ? undefined : permissionOfId(Number(permissionId))
    if (permission !== undefined) {
      const target = id === USER_TEMPLATE_GROUP_ID ? permissions : group.permissions
      target.add(permission)
    }
  }
  return {
    permissions,
    ...(template === undefined ? {} : { template }),
    groups: [...groups.values()],
  }
}
