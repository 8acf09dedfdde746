import { changedMembers } from '#accounts/changed_members'
import type { TemplateDetail } from '#accounts/templates/permission_templates'
import type { AuditAction } from '#audit/actions'
import type { AuditEvent, Detail } from '#audit/event'

/** Audit event of a new permission template. */
export function templateCreated(template: TemplateDetail): AuditEvent[] {
  const { description, template_type: type } = template
  const detail = { template_type: type, description, permissions: namesOf(template) }
  return [templateEvent('template.created', template, detail)]
}

/** Audit event of an edited template; empty without a change. */
export function templateUpdated(before: TemplateDetail, after: TemplateDetail): AuditEvent[] {
  const [old, now] = [namesOf(before), namesOf(after)]
  const added = now.filter((name) => !old.includes(name))
  const removed = old.filter((name) => !now.includes(name))
  const detail: Detail = {
    ...changedMembers(membersOf(before), membersOf(after)),
    ...(added.length > 0 ? { permissions_added: added } : {}),
    ...(removed.length > 0 ? { permissions_removed: removed } : {}),
  }
  const isChanged = Object.keys(detail).length > 0
  return isChanged ? [templateEvent('template.updated', after, detail)] : []
}

/** Audit event of a deleted template. */
export function templateDeleted(template: TemplateDetail): AuditEvent[] {
  const detail = { template_type: template.template_type, permissions: namesOf(template) }
  return [templateEvent('template.deleted', template, detail)]
}

function templateEvent(
  action: AuditAction,
  { id, name }: TemplateDetail,
  detail: Detail
): AuditEvent {
  return { action, object: { kind: 'template', id, name }, detail }
}

function membersOf({ name, description, template_type: type }: TemplateDetail) {
  return { name, description, template_type: type }
}

function namesOf({ permissions }: TemplateDetail): string[] {
  return permissions.map(({ name }) => name)
}
