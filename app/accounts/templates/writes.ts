import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { TemplateFacts } from '#access/rules/account_rules'
import type { Actor } from '#access/actor'
import { authorize, type Decision } from '#access/authorize'
import { demand } from '#access/demand'
import { isPermission, PERMISSIONS, type Permission } from '#access/permissions'
import { writeAccounts } from '#accounts/account_write'
import type { AccountTerms } from '#accounts/terms'
import { objectName } from '#accounts/object_names'
import {
  templateOf,
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

const MAX_NAME = 128

/** Stands for an unknown template in access checks: not the actor's, without permissions. */
const NONE: TemplateFacts = { name: '', permissions: new Set(), isUsedByActor: false }

/** Throws a 403 `Refusal` unless the actor may create permission templates. */
export function demandTemplateCreation(actor: Actor): void {
  demand(actor, { action: 'template.create', grants: new Set() })
}

/**
 * Creates a template. Throws a 400 `Refusal` for unknown permissions, a 403 for permissions that
 * the actor lacks, and a 409 for an existing name of this type.
 */
export function createTemplate(terms: AccountTerms, input: TemplateInput): Promise<{ id: number }> {
  demandTemplateCreation(terms.actor)
  const name = objectName(input.name, MAX_NAME)
  const grants = permissionsOf(input.permissions)
  demand(terms.actor, { action: 'template.create', grants })
  return writeAccounts(terms, async (trx) => {
    const key = { name, template_type: input.type }
    await requireFree(trx, key)
    await claiming(key, () =>
      trx.table('zw_permission_templates').insert({ ...key, description: input.description })
    )
    const row: { id: number } = await trx.from('zw_permission_templates').where(key).firstOrFail()
    await grant(trx, row.id, grants)
    const events = templateCreated(await templateOf(trx, row.id))
    return { result: { id: row.id }, events }
  })
}

/**
 * Throws unless the actor may edit this template: a 403 `Refusal` without the right, a 404 for a
 * missing one, and a 403 for one that only administrators edit.
 */
export async function openTemplate(actor: Actor, id: number): Promise<void> {
  demand(actor, { action: 'template.edit', template: NONE, grants: NONE.permissions })
  const template = await factsOf(db.connection(), actor, await templateOf(db.connection(), id))
  demand(actor, { action: 'template.edit', template, grants: template.permissions })
}

/**
 * Throws unless the actor may delete this template: a 403 `Refusal` without the right, a 404 for a
 * missing one, and a 403 for one that only administrators delete.
 */
export async function demandTemplateDeletion(actor: Actor, id: number): Promise<void> {
  demand(actor, { action: 'template.delete', template: NONE })
  const template = await factsOf(db.connection(), actor, await templateOf(db.connection(), id))
  demand(actor, { action: 'template.delete', template })
}

/**
 * Changes the given members of a template; `permissions` replaces all. Throws as `createTemplate`,
 * a 404 for a missing one, and a 409 for another type while the template has holders.
 */
export function updateTemplate(
  terms: AccountTerms,
  id: number,
  patch: Partial<TemplateInput>
): Promise<TemplateDetail> {
  const { actor } = terms
  demand(actor, { action: 'template.edit', template: NONE, grants: NONE.permissions })
  const wanted = patch.permissions && permissionsOf(patch.permissions)
  return writeAccounts(terms, async (trx) => {
    const before = await templateOf(trx, id)
    const facts = await factsOf(trx, actor, before)
    const grants = wanted ?? facts.permissions
    demand(actor, { action: 'template.edit', template: facts, grants })
    terms.expect?.(before)
    const type = patch.type ?? before.template_type
    const key = { name: patch.name ?? before.name, template_type: type }
    if (key.name !== before.name) {
      objectName(key.name, MAX_NAME)
    }
    if (type !== before.template_type) {
      await requireUnassigned(trx, id, 'change the type of')
    }
    if (key.name !== before.name || type !== before.template_type) {
      await requireFree(trx, key)
    }
    const patched = { ...key, description: patch.description ?? before.description }
    await claiming(key, () => trx.from('zw_permission_templates').where('id', id).update(patched))
    if (wanted) {
      await trx.from('zw_permission_template_items').where('template_id', id).delete()
      await grant(trx, id, wanted)
    }
    const after = await templateOf(trx, id)
    return { result: after, events: templateUpdated(before, after) }
  })
}

/**
 * Deletes a template. Throws a 403 `Refusal` without the right, a 404 for a missing one, and a 409
 * while the template has holders.
 */
export function deleteTemplate(terms: AccountTerms, id: number): Promise<TemplateDetail> {
  const { actor } = terms
  demand(actor, { action: 'template.delete', template: NONE })
  return writeAccounts(terms, async (trx) => {
    const before = await templateOf(trx, id)
    const template = await factsOf(trx, actor, before)
    demand(actor, { action: 'template.delete', template })
    await requireUnassigned(trx, id, 'delete')
    try {
      await trx.from('zw_permission_templates').where('id', id).delete()
    } catch (error) {
      // A concurrent transaction assigned the template after the check.
      throw isStillReferenced(error) ? inUse('delete', 'users') : error
    }
    return { result: before, events: templateDeleted(before) }
  })
}

/** Returns the decisions about actions on a visible template. */
export async function decisionsOn(
  actor: Actor,
  detail: TemplateDetail
): Promise<{ edit: Decision; delete: Decision; isActors: boolean }> {
  const template = await factsOf(db.connection(), actor, detail)
  return {
    edit: authorize(actor, { action: 'template.edit', template, grants: template.permissions }),
    delete: authorize(actor, { action: 'template.delete', template }),
    isActors: template.isUsedByActor,
  }
}

async function factsOf(
  client: QueryClientContract,
  { userId, groups }: Actor,
  { id, name, permissions }: TemplateDetail
): Promise<TemplateFacts> {
  const actorsTemplate: unknown = await client
    .from('zw_users')
    .where({ id: userId ?? 0, permission_template_id: id })
    .first()
  const ofGroup: unknown = await client
    .from('zw_groups')
    .whereIn('id', [0, ...groups.map((group) => group.id)])
    .where('permission_template_id', id)
    .first()
  const names = permissions.map((permission) => permission.name).filter(isPermission)
  return {
    name,
    permissions: new Set(names),
    isUsedByActor: actorsTemplate !== null || ofGroup !== null,
  }
}

const NAME_OF = new Map<number, Permission>(
  Object.entries(PERMISSIONS).map(([name, { id }]) => [id, name as Permission])
)

/** Returns the permissions with these ids. Throws a 400 `Refusal` that lists unknown ids. */
function permissionsOf(ids: number[]): Set<Permission> {
  const unknown = ids.filter((id) => !NAME_OF.has(id))
  if (unknown.length > 0) {
    throw invalid(
      `Field 'permissions': unknown permission ids ${unknown.slice(0, 20).join(', ')}; GET /permissions lists those that there are`
    )
  }
  return new Set(ids.map((id) => NAME_OF.get(id)!))
}

async function grant(
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

async function requireFree(trx: TransactionClientContract, key: TemplateKey): Promise<void> {
  if (
    await trx
      .from('zw_permission_templates')
      .where({ ...key })
      .first()
  ) {
    throw taken(key)
  }
}

async function claiming(key: TemplateKey, write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    throw isUniqueViolation(error) ? taken(key) : error
  }
}

function taken({ name, template_type: type }: TemplateKey) {
  return conflict(`A ${type} permission template named '${name}' already exists`)
}

async function requireUnassigned(
  trx: TransactionClientContract,
  id: number,
  what: string
): Promise<void> {
  for (const holders of ['users', 'groups'] as const) {
    if (await trx.from(`zw_${holders}`).where('permission_template_id', id).first()) {
      throw inUse(what, holders)
    }
  }
}

function inUse(what: string, holders: 'users' | 'groups') {
  return conflict(`Cannot ${what} permission template - it is assigned to one or more ${holders}`)
}
