import type { ShownPermission } from '#accounts/templates/permission_list'
import type { TemplateDetail, TemplateRow } from '#accounts/templates/permission_templates'

/** A permission of the API. `descr` and `description` are the same: clients of both spellings exist. */
export function permissionItem({ id, name, description }: ShownPermission) {
  return { id, name, descr: description, description }
}

/** A permission template in a list of the API; `descr` as in `permissionItem`. */
export function templateItem({ id, name, description, template_type: type }: TemplateRow) {
  return { id, name, descr: description, description, template_type: type }
}

/** A permission template of the API, with what it grants. */
export function templateDetail(template: TemplateDetail) {
  return { ...templateItem(template), permissions: template.permissions.map(permissionItem) }
}
