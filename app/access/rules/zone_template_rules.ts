import { hasPermission, isSuperUser, type Actor } from '#access/actor'
import { allow, decide, type Decision } from '#access/decision'
import { decideKeyAdministration, decideKeyExposure } from '#access/rules/key_rules'
import type { Permission } from '#access/permissions'
import { decideByPermission, grantsOf, refuseNonAdministrator } from '#access/grants'
import { recordType } from '#dns/records/registry'

/** Facts about a zone template that decisions depend on. */
export interface ZoneTemplateFacts {
  /** Id of the owner; null for a global template, and after the owner was deleted. */
  ownerId: number | null
  isGlobal: boolean
}

/** Requests about zone templates; `template` is null before the template is known. */
export type ZoneTemplateRequest =
  | { action: 'zone_template.view'; template: ZoneTemplateFacts | null }
  /** Creation of zones from it; `types`: record types of the template, in upper case. */
  | { action: 'zone_template.apply'; template: ZoneTemplateFacts; types: string[] }
  | { action: 'zone_template.create'; isGlobal: boolean }
  /** `isGlobal`: whether the template becomes global. */
  | { action: 'zone_template.edit'; template: ZoneTemplateFacts | null; isGlobal?: boolean }
  /** `type`: of the record, in upper case. */
  | { action: 'zone_template.write_record'; template: ZoneTemplateFacts; type: string }

const VIEW_RIGHTS: Permission[] = [
  'zone_templ_add',
  'zone_templ_edit',
  'zone_master_add',
  'zone_slave_add',
]

/** Types that editors at client level may write neither in zones nor in templates. */
const ZONE_LEVEL_TYPES = new Set(['SOA', 'NS', 'LUA'])

/**
 * Decides about zone templates. Actors who create zones may view templates; other actions need
 * separate rights.
 */
export function actOnZoneTemplates(actor: Actor, request: ZoneTemplateRequest): Decision {
  const keyDecision = decideKeyAdministration(actor)
  if (!keyDecision.allowed) {
    return keyDecision
  }
  if (isSuperUser(actor)) {
    const isCode = request.action === 'zone_template.write_record' && runsCode(request.type)
    const exposureDecision = isCode
      ? decideKeyExposure(actor, 'code', 'records that run code')
      : keyDecision
    if (!exposureDecision.allowed) {
      return exposureDecision
    }
    return allow(grantsOf(actor, ['user_is_ueberuser']))
  }
  switch (request.action) {
    case 'zone_template.view':
      return decideView(actor, request.template)
    case 'zone_template.apply':
      return decideApply(actor, request.template, request.types)
    case 'zone_template.create':
      return request.isGlobal
        ? refuseNonAdministrator('create shared zone templates')
        : decideByPermission(actor, ['zone_templ_add'], 'create zone templates')
    case 'zone_template.edit':
      return decideEdit(actor, request.template, request.isGlobal ?? false)
    case 'zone_template.write_record':
      return decideRecordWrite(actor, request.template, request.type)
  }
}

function decideView(actor: Actor, template: ZoneTemplateFacts | null): Decision {
  const viewDecision = decideByPermission(actor, VIEW_RIGHTS, 'view zone templates')
  return !viewDecision.allowed || template === null || template.isGlobal || isOwner(actor, template)
    ? viewDecision
    : decide(
        false,
        'permission',
        'You do not have permission to view this zone template: it belongs to another user',
        'user_is_ueberuser'
      )
}

function decideApply(actor: Actor, template: ZoneTemplateFacts, types: string[]): Decision {
  const viewDecision = decideView(actor, template)
  const codeType = types.find(runsCode)
  return !viewDecision.allowed || codeType === undefined
    ? viewDecision
    : decideAdministratorType(codeType)
}

function decideEdit(actor: Actor, template: ZoneTemplateFacts | null, isGlobal: boolean): Decision {
  const editDecision = decideByPermission(actor, ['zone_templ_edit'], 'edit zone templates')
  if (!editDecision.allowed || template === null) {
    return editDecision
  }
  if (template.isGlobal || isGlobal) {
    return refuseNonAdministrator('edit shared zone templates')
  }
  return isOwner(actor, template)
    ? editDecision
    : refuseNonAdministrator('edit zone templates of other users')
}

/** Applies the rights on record types to templates, too. */
function decideRecordWrite(actor: Actor, template: ZoneTemplateFacts, type: string): Decision {
  const editDecision = decideEdit(actor, template, false)
  if (!editDecision.allowed) {
    return editDecision
  }
  if (runsCode(type)) {
    return decideAdministratorType(type)
  }
  const isFullEditor =
    hasPermission(actor, 'zone_content_edit_own') ||
    hasPermission(actor, 'zone_content_edit_others')
  const isClientEditor = hasPermission(actor, 'zone_content_edit_own_as_client') && !isFullEditor
  return isClientEditor && ZONE_LEVEL_TYPES.has(type)
    ? decide(
        false,
        'client-level',
        `You do not have permission to edit this record type: ${type} records require the permission to edit whole zones`,
        'zone_content_edit_own or zone_content_edit_others'
      )
    : editDecision
}

function runsCode(type: string): boolean {
  return recordType(type)?.writer === 'administrator'
}

function decideAdministratorType(type: string): Decision {
  return decide(
    false,
    'administrator-type',
    `You do not have permission to edit this record type: ${type} records run code on the name server, so only administrators can write them`,
    'user_is_ueberuser'
  )
}

function isOwner({ userId }: Actor, { ownerId }: ZoneTemplateFacts): boolean {
  return userId !== null && userId === ownerId
}
