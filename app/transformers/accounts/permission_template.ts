import type { ShownPermission } from '#accounts/templates/permission_list'
import type { TemplateDetail, TemplateRow } from '#accounts/templates/permission_templates'

/** A permission. `descr` and `description` are equal: there are clients of both names. */
export function permissionItem({ id, name, description }: ShownPermission) {
  return { id, name, descr: description, description }
}

/** A permission template in a list; `descr` as in `permissionItem`. */
export function templateItem({ id, name, description, template_type: type }: TemplateRow) {
  return { id, name, descr: description, description, template_type: type }
}

/** A permission template with its permissions. */
export function templateDetail(template: TemplateDetail) {
  return { ...templateItem(template), permissions: template.permissions.map(permissionItem) }
}
