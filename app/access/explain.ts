import { isSuperUser, type Actor, type KeyOperation } from '#access/actor'
import { authorize, type AccessRequest, type ZoneFacts } from '#access/authorize'
import type { Decision, Reason } from '#access/decision'
import { REVIEW_ACTIONS, type ReviewAction } from '#access/rules/review_rules'
import { findIneffectivePermissions, type ZoneAction } from '#access/rules/zone_rules'
import { invalid } from '#exceptions/refusal'

/** Objects of a question, as far as the action needs them. */
export interface ExplainedObject {
  zone?: ZoneFacts
  /** Canonical owner name and record type. */
  name?: string
  type?: string
}

/** A decision with all its reasons. */
export interface Explanation {
  /** `request`: allowed by review, as a change request. */
  decision: 'allow' | 'deny' | 'request'
  reasons: Reason[]
}

/** Objects that an action needs, and operations that the key must allow. */
interface ActionRequirements {
  objects: readonly (keyof ExplainedObject)[]
  operations: readonly KeyOperation[]
  /** One of the operations is enough; the change decides which one. */
  isOneEnough?: boolean
}

const WRITE_OPERATIONS = ['create', 'update', 'delete'] as const

const ACTION_REQUIREMENTS = {
  'zone.view': { objects: ['zone'], operations: ['view'] },
  'zone.view_history': { objects: ['zone'], operations: ['view'] },
  'zone.view_owners': { objects: ['zone'], operations: ['view'] },
  'zone.view_metadata': { objects: ['zone'], operations: ['view'] },
  'zone.edit_records': { objects: ['zone'], operations: WRITE_OPERATIONS, isOneEnough: true },
  'rrset.write': {
    objects: ['zone', 'name', 'type'],
    operations: WRITE_OPERATIONS,
    isOneEnough: true,
  },
  'zone.edit_description': { objects: ['zone'], operations: ['update'] },
  'zone.edit_properties': { objects: ['zone'], operations: ['update'] },
  'zone.rename': { objects: ['zone'], operations: ['update'] },
  'zone.edit_source': { objects: ['zone'], operations: ['update'] },
  'zone.edit_owners': { objects: ['zone'], operations: ['create', 'delete'], isOneEnough: true },
  'zone.add_owners': { objects: ['zone'], operations: ['create'] },
  'zone.edit_metadata': { objects: ['zone'], operations: ['update', 'delete'], isOneEnough: true },
  'zone.manage_dnssec': { objects: ['zone'], operations: WRITE_OPERATIONS, isOneEnough: true },
  'zone.tell_server': { objects: ['zone'], operations: ['update'] },
  'zone.link_template': { objects: ['zone'], operations: ['update'] },
  'zone.delete': { objects: ['zone'], operations: ['delete'] },
  'zone.request_changes': { objects: ['zone'], operations: ['create'] },
  'zone.request_deletion': { objects: ['zone'], operations: ['create'] },
  'zone.review': { objects: ['zone'], operations: ['update'] },
  'zone.create': { objects: ['type'], operations: ['create'] },
  'zone.create_for_others': { objects: [], operations: ['create'] },
  'server.view_status': { objects: [], operations: ['view'] },
  'server.view_autoprimaries': { objects: [], operations: ['view'] },
  'server.add_autoprimaries': { objects: [], operations: ['create'] },
  'server.edit_autoprimaries': { objects: [], operations: ['update', 'delete'], isOneEnough: true },
  'server.manage_jobs': { objects: [], operations: ['view'] },
  'server.manage_webhooks': { objects: [], operations: ['view'] },
  'trash.discard': { objects: [], operations: ['delete'] },
  'user.list': { objects: [], operations: ['view'] },
  'user.create': { objects: [], operations: ['create'] },
  'user.assign_template': { objects: [], operations: ['update'] },
  'user.set_groups': { objects: [], operations: WRITE_OPERATIONS, isOneEnough: true },
  'group.manage': { objects: [], operations: WRITE_OPERATIONS, isOneEnough: true },
  'permission.view': { objects: [], operations: ['view'] },
  'template.view': { objects: [], operations: ['view'] },
  'api_key.list': { objects: [], operations: ['view'] },
  'api_key.create': { objects: [], operations: ['create'] },
} as const satisfies Record<string, ActionRequirements>

/** The right of actions that have further conditions. */
const RIGHT_OF_ACTION = {
  'rrset.write': 'zone.edit_records',
  'zone.rename': 'zone.edit_properties',
  'zone.add_owners': 'zone.edit_owners',
} as const satisfies Partial<Record<keyof typeof ACTION_REQUIREMENTS, ZoneAction>>

export type ExplainedAction = keyof typeof ACTION_REQUIREMENTS

/** Names of all actions that can be explained. */
export const EXPLAINED_ACTIONS = Object.keys(ACTION_REQUIREMENTS) as readonly ExplainedAction[]

/** Parses an action. Throws a 400 `Refusal` that lists the actions. */
export function explainedAction(text: string | undefined): ExplainedAction {
  if (text !== undefined && Object.hasOwn(ACTION_REQUIREMENTS, text)) {
    return text as ExplainedAction
  }
  const found = text === undefined ? 'nothing' : JSON.stringify(text.slice(0, 100))
  throw invalid(
    `'action' must be one of ${Object.keys(ACTION_REQUIREMENTS).join(', ')}; found ${found}`
  )
}

/** Returns the objects that the action needs: zone, owner name, type. */
export function requiredObjects(action: ExplainedAction): readonly (keyof ExplainedObject)[] {
  return ACTION_REQUIREMENTS[action].objects
}

/**
 * Returns the decision of `authorize` with all reasons. `object` must contain the members of
 * `requiredObjects`.
 */
export function explain(
  actor: Actor,
  action: ExplainedAction,
  object: ExplainedObject
): Explanation {
  const actionDecisions = requestsFor(actor, action, object).map((request) =>
    authorize(actor, request)
  )
  const decisions = actor.key
    ? [...actionDecisions, decideOperations(actor, action)]
    : actionDecisions
  const refused = decisions.filter(({ allowed }) => !allowed)
  if (refused.length === 0) {
    const needsReview = decisions.some(({ review }) => review)
    const reasons = uniqueReasons(decisions.flatMap(({ reasons: some }) => some))
    return { decision: needsReview ? 'request' : 'allow', reasons }
  }
  const reasons = refused.flatMap(({ reasons: some }) => some)
  return {
    decision: 'deny',
    reasons: uniqueReasons([...reasons, ...findFurtherReasons(actor, action, object, refused)]),
  }
}

function requestsFor(
  actor: Actor,
  action: ExplainedAction,
  { zone, name, type }: ExplainedObject
): AccessRequest[] {
  switch (action) {
    case 'zone.create':
      return [{ action: 'key.create_zones' }, { action, kind: type! }]
    case 'rrset.write':
      return [{ action, zone: zone!, name: name!, type: type! }]
    case 'zone.rename':
      return [{ action: RIGHT_OF_ACTION[action], zone: zone! }, { action: 'key.rename_zone' }]
    case 'zone.add_owners':
      return [
        { action: RIGHT_OF_ACTION[action], zone: zone! },
        { action: 'key.open', access: 'write', what: 'the owners of a zone' },
      ]
    case 'user.assign_template':
      return [{ action, user: null, template: new Set() }]
    case 'api_key.list':
    case 'api_key.create':
      return [{ action, userId: actor.userId ?? 0 }]
    case 'zone.request_changes':
    case 'zone.request_deletion':
    case 'zone.review':
      return [{ action, zone: zone! }]
    default:
      return isZoneAction(action) ? [{ action, zone: zone! }] : [{ action }]
  }
}

function hasOtherRight(action: ExplainedAction): action is keyof typeof RIGHT_OF_ACTION {
  return Object.hasOwn(RIGHT_OF_ACTION, action)
}

function isZoneAction(action: ExplainedAction): action is ZoneAction & ExplainedAction {
  return requiredObjects(action).includes('zone') && !hasOtherRight(action) && !isReview(action)
}

function isReview(action: ExplainedAction): boolean {
  return REVIEW_ACTIONS.includes(action as ReviewAction)
}

/** Returns whether the key allows the operations of the action. */
function decideOperations(actor: Actor, action: ExplainedAction): Decision {
  const { operations, isOneEnough }: ActionRequirements = ACTION_REQUIREMENTS[action]
  const operationSets = isOneEnough ? operations.map((operation) => [operation]) : [[...operations]]
  const decisions = operationSets.map((each) =>
    authorize(actor, { action: 'key.operate', operations: each })
  )
  return decisions.find(({ allowed }) => allowed) ?? decisions[0]
}

/** Further reasons of a refusal: rights that do not reach the zone, and a hidden zone. */
function findFurtherReasons(
  actor: Actor,
  action: ExplainedAction,
  { zone }: ExplainedObject,
  refused: Decision[]
): Reason[] {
  const isForPermission = refused.some(({ reasons }) =>
    reasons.some(({ rule }) => rule === 'permission')
  )
  if (!zone || !isForPermission || isSuperUser(actor) || isReview(action)) {
    return []
  }
  const right = hasOtherRight(action) ? RIGHT_OF_ACTION[action] : (action as ZoneAction)
  const hidden = {
    rule: 'hidden',
    message: 'Users without any permission on the zone get the same answer as for a missing zone',
    source: 'no permission',
  }
  return [
    ...findIneffectivePermissions(actor, right, zone),
    ...(refused.some((decision) => decision.hidden) ? [hidden] : []),
  ]
}

function uniqueReasons(reasons: Reason[]): Reason[] {
  const reasonsByText = new Map(
    reasons.map((reason) => [`${reason.rule} ${reason.message} ${reason.source}`, reason])
  )
  return [...reasonsByText.values()]
}
