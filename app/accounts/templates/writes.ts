import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { TemplateFacts } from '#access/rules/account_rules'
import type { Actor } from '#access/actor'
import { authorize, type Decision } from '#access/authorize'
import { demand } from '#access/demand'
import { isPermission, PERMISSIONS, type Permission } from '#access/permissions'
import { writeAccounts } from '#accounts/account_write'
import type { AccountWriteOptions } from '#accounts/terms'
import { checkObjectName } from '#accounts/object_names'
import {
  loadTemplate,
  type TemplateDetail,
  type TemplateType,
} from '#accounts/templates/permission_templates'
import { templateCreated, templateDeleted, templateUpdated } from '#accounts/templates/events'
import { isStillReferenced, isUniqueViolation } from '#database/conflicts'
import { conflict, invalid } from '#exceptions/refusal'

/** Input for a permission template. */
export interface TemplateInput {
  name: string
  description: string
  type: TemplateType
  /** Ids. */
  permissions: number[]
}

const MAX_NAME_CHARACTERS = 128

/** Stands for an unknown template in access checks: not the actor's, without permissions. */
const UNKNOWN_TEMPLATE: TemplateFacts = { name: '', permissions: new Set(), isUsedByActor: false }

/** Throws a 403 `Refusal` unless the actor may create permission templates. */
export function demandTemplateCreation(actor: Actor): void {
  demand(actor, { action: 'template.create', grants: new Set() })
}

/**
 * Creates a template. Throws a 400 `Refusal` for unknown permissions, a 403 for permissions that
 * the actor lacks, and a 409 for an existing name of this type.
 */
export function createTemplate(
  terms: AccountWriteOptions,
  input: TemplateInput
): Promise<{ id: number }> {
  demandTemplateCreation(terms.actor)
  const name = checkObjectName(input.name, MAX_NAME_CHARACTERS)
  const grants = parsePermissionIds(input.permissions)
  demand(terms.actor, { action: 'template.create', grants })
  return writeAccounts(terms, async (trx) => {
    const key = { name, template_type: input.type }
    await requireFreeName(trx, key)
    await rethrowDuplicateName(key, () =>
      trx.table('zw_permission_templates').insert({ ...key, description: input.description })
    )
    const row: { id: number } = await trx.from('zw_permission_templates').where(key).firstOrFail()
    await insertPermissions(trx, row.id, grants)
    const events = templateCreated(await loadTemplate(trx, row.id))
    return { result: { id: row.id }, events }
  })
}

/**
 * Throws unless the actor may edit this template: a 403 `Refusal` without the right, a 404 for a
 * missing one, and a 403 for one that only administrators edit.
 */
export async function openTemplate(actor: Actor, id: number): Promise<void> {
  demand(actor, {
    action: 'template.edit',
    template: UNKNOWN_TEMPLATE,
    grants: UNKNOWN_TEMPLATE.permissions,
  })
  const template = await templateFactsOf(
    db.connection(),
    actor,
    await loadTemplate(db.connection(), id)
  )
  demand(actor, { action: 'template.edit', template, grants: template.permissions })
}

/**
 * Throws unless the actor may delete this template: a 403 `Refusal` without the right, a 404 for a
 * missing one, and a 403 for one that only administrators delete.
 */
export async function demandTemplateDeletion(actor: Actor, id: number): Promise<void> {
  demand(actor, { action: 'template.delete', template: UNKNOWN_TEMPLATE })
  const template = await templateFactsOf(
    db.connection(),
    actor,
    await loadTemplate(db.connection(), id)
  )
  demand(actor, { action: 'template.delete', template })
}

/**
 * Changes the given members of a template; `permissions` replaces all. Throws as `createTemplate`,
 * a 404 for a missing one, and a 409 for another type while the template has holders.
 */
export function updateTemplate(
  terms: AccountWriteOptions,
  id: number,
  patch: Partial<TemplateInput>
): Promise<TemplateDetail> {
  const { actor } = terms
  demand(actor, {
    action: 'template.edit',
    template: UNKNOWN_TEMPLATE,
    grants: UNKNOWN_TEMPLATE.permissions,
  })
  const requestedPermissions = patch.permissions && parsePermissionIds(patch.permissions)
  return writeAccounts(terms, async (trx) => {
    const before = await loadTemplate(trx, id)
    const facts = await templateFactsOf(trx, actor, before)
    const grants = requestedPermissions ?? facts.permissions
    demand(actor, { action: 'template.edit', template: facts, grants })
    terms.checkStored?.(before)
    const type = patch.type ?? before.template_type
    const key = { name: patch.name ?? before.name, template_type: type }
    if (key.name !== before.name) {
      checkObjectName(key.name, MAX_NAME_CHARACTERS)
    }
    if (type !== before.template_type) {
      await requireUnassigned(trx, id, 'change the type of')
    }
    if (key.name !== before.name || type !== before.template_type) {
      await requireFreeName(trx, key)
    }
    const patched = { ...key, description: patch.description ?? before.description }
    await rethrowDuplicateName(key, () =>
      trx.from('zw_permission_templates').where('id', id).update(patched)
    )
    if (requestedPermissions) {
      await trx.from('zw_permission_template_items').where('template_id', id).delete()
      await insertPermissions(trx, id, requestedPermissions)
    }
    const after = await loadTemplate(trx, id)
    return { result: after, events: templateUpdated(before, after) }
  })
}

/**
 * Deletes a template. Throws a 403 `Refusal` without the right, a 404 for a missing one, and a 409
 * while the template has holders.
 */
export function deleteTemplate(terms: AccountWriteOptions, id: number): Promise<TemplateDetail> {
  const { actor } = terms
  demand(actor, { action: 'template.delete', template: UNKNOWN_TEMPLATE })
  return writeAccounts(terms, async (trx) => {
    const before = await loadTemplate(trx, id)
    const template = await templateFactsOf(trx, actor, before)
    demand(actor, { action: 'template.delete', template })
    await requireUnassigned(trx, id, 'delete')
    try {
      await trx.from('zw_permission_templates').where('id', id).delete()
    } catch (error) {
      // A concurrent transaction assigned the template after the check.
      throw isStillReferenced(error) ? inUseError('delete', 'users') : error
    }
    return { result: before, events: templateDeleted(before) }
  })
}

/** Returns the decisions about actions on a visible template. */
export async function decideOnTemplate(
  actor: Actor,
  detail: TemplateDetail
): Promise<{ edit: Decision; delete: Decision; isActors: boolean }> {
  const template = await templateFactsOf(db.connection(), actor, detail)
  return {
    edit: authorize(actor, { action: 'template.edit', template, grants: template.permissions }),
    delete: authorize(actor, { action: 'template.delete', template }),
    isActors: template.isUsedByActor,
  }
}

async function templateFactsOf(
  client: QueryClientContract,
  { userId, groups }: Actor,
  { id, name, permissions }: TemplateDetail
): Promise<TemplateFacts> {
  const actorTemplate: unknown = await client
    .from('zw_users')
    .where({ id: userId ?? 0, permission_template_id: id })
    .first()
  const groupTemplate: unknown = await client
    .from('zw_groups')
    .whereIn('id', [0, ...groups.map((group) => group.id)])
    .where('permission_template_id', id)
    .first()
  const names = permissions.map((permission) => permission.name).filter(isPermission)
  return {
    name,
    permissions: new Set(names),
    isUsedByActor: actorTemplate !== null || groupTemplate !== null,
  }
}

const PERMISSION_BY_ID = new Map<number, Permission>(
  Object.entries(PERMISSIONS).map(([name, { id }]) => [id, name as Permission])
)

/** Returns the permissions with these ids. Throws a 400 `Refusal` that lists unknown ids. */
function parsePermissionIds(ids: number[]): Set<Permission> {
  const unknown = ids.filter((id) => !PERMISSION_BY_ID.has(id))
  if (unknown.length > 0) {
    throw invalid(
      `Field 'permissions': unknown permission ids ${unknown.slice(0, 20).join(', ')}; GET /permissions lists all permissions`
    )
  }
  return new Set(ids.map((id) => PERMISSION_BY_ID.get(id)!))
}

async function insertPermissions(
  trx: TransactionClientContract,
  templateId: number,
  permissions: Set<Permission>
): Promise<void> {
  const items = [...permissions].map((permission) => ({
    template_id: templateId,
    permission_id: PERMISSIONS[permission].id,
  }))
  if (items.length > 0) {
    await trx.table('zw_permission_template_items').multiInsert(items)
  }
}

interface TemplateKey {
  name: string
  template_type: TemplateType
}

async function requireFreeName(trx: TransactionClientContract, key: TemplateKey): Promise<void> {
  if (
    await trx
      .from('zw_permission_templates')
      .where({ ...key })
      .first()
  ) {
    throw nameTakenError(key)
  }
}

async function rethrowDuplicateName(
  key: TemplateKey,
  write: () => Promise<unknown>
): Promise<void> {
  try {
    await write()
  } catch (error) {
    throw isUniqueViolation(error) ? nameTakenError(key) : error
  }
}

function nameTakenError({ name, template_type: type }: TemplateKey) {
  return conflict(`A ${type} permission template named '${name}' already exists`)
}

async function requireUnassigned(
  trx: TransactionClientContract,
  id: number,
  action: string
): Promise<void> {
  for (const holders of ['users', 'groups'] as const) {
    if (await trx.from(`zw_${holders}`).where('permission_template_id', id).first()) {
      throw inUseError(action, holders)
    }
  }
}

function inUseError(action: string, holders: 'users' | 'groups') {
  return conflict(`Cannot ${action} permission template - it is assigned to one or more ${holders}`)
}
