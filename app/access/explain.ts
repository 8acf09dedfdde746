import { isSuperUser, type Actor, type KeyOperation } from '#access/actor'
import { authorize, type AccessRequest, type ZoneFacts } from '#access/authorize'
import type { Decision, Reason } from '#access/decision'
import { REVIEW_ACTIONS, type ReviewAction } from '#access/rules/review_rules'
import { rightsOutOfReach, type ZoneAction } from '#access/rules/zone_rules'
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
interface Explained {
  needs: readonly (keyof ExplainedObject)[]
  operations: readonly KeyOperation[]
  /** One of the operations is enough; the change decides which one. */
  any?: boolean
}

const WRITES = ['create', 'update', 'delete'] as const

const EXPLAINED = {
  'zone.view': { needs: ['zone'], operations: ['view'] },
  'zone.view_history': { needs: ['zone'], operations: ['view'] },
  'zone.view_owners': { needs: ['zone'], operations: ['view'] },
  'zone.view_metadata': { needs: ['zone'], operations: ['view'] },
  'zone.edit_records': { needs: ['zone'], operations: WRITES, any: true },
  'rrset.write': { needs: ['zone', 'name', 'type'], operations: WRITES, any: true },
  'zone.edit_description': { needs: ['zone'], operations: ['update'] },
  'zone.edit_properties': { needs: ['zone'], operations: ['update'] },
  'zone.rename': { needs: ['zone'], operations: ['update'] },
  'zone.edit_source': { needs: ['zone'], operations: ['update'] },
  'zone.edit_owners': { needs: ['zone'], operations: ['create', 'delete'], any: true },
  'zone.add_owners': { needs: ['zone'], operations: ['create'] },
  'zone.edit_metadata': { needs: ['zone'], operations: ['update', 'delete'], any: true },
  'zone.manage_dnssec': { needs: ['zone'], operations: WRITES, any: true },
  'zone.tell_server': { needs: ['zone'], operations: ['update'] },
  'zone.link_template': { needs: ['zone'], operations: ['update'] },
  'zone.delete': { needs: ['zone'], operations: ['delete'] },
  'zone.request_changes': { needs: ['zone'], operations: ['create'] },
  'zone.request_deletion': { needs: ['zone'], operations: ['create'] },
  'zone.review': { needs: ['zone'], operations: ['update'] },
  'zone.create': { needs: ['type'], operations: ['create'] },
  'zone.create_for_others': { needs: [], operations: ['create'] },
  'server.view_status': { needs: [], operations: ['view'] },
  'server.view_autoprimaries': { needs: [], operations: ['view'] },
  'server.add_autoprimaries': { needs: [], operations: ['create'] },
  'server.edit_autoprimaries': { needs: [], operations: ['update', 'delete'], any: true },
  'server.manage_jobs': { needs: [], operations: ['view'] },
  'server.manage_webhooks': { needs: [], operations: ['view'] },
  'trash.discard': { needs: [], operations: ['delete'] },
  'user.list': { needs: [], operations: ['view'] },
  'user.create': { needs: [], operations: ['create'] },
  'user.assign_template': { needs: [], operations: ['update'] },
  'user.set_groups': { needs: [], operations: WRITES, any: true },
  'group.manage': { needs: [], operations: WRITES, any: true },
  'permission.view': { needs: [], operations: ['view'] },
  'template.view': { needs: [], operations: ['view'] },
  'api_key.list': { needs: [], operations: ['view'] },
  'api_key.create': { needs: [], operations: ['create'] },
} as const satisfies Record<string, Explained>

/** The right of actions that have further conditions. */
const RIGHT_OF = {
  'rrset.write': 'zone.edit_records',
  'zone.rename': 'zone.edit_properties',
  'zone.add_owners': 'zone.edit_owners',
} as const satisfies Partial<Record<keyof typeof EXPLAINED, ZoneAction>>

export type ExplainedAction = keyof typeof EXPLAINED

/** Names of all actions that can be explained. */
export const EXPLAINED_ACTIONS = Object.keys(EXPLAINED) as readonly ExplainedAction[]

/** Parses an action. Throws a 400 `Refusal` that lists the actions. */
export function explainedAction(word: string | undefined): ExplainedAction {
  if (word !== undefined && Object.hasOwn(EXPLAINED, word)) {
    return word as ExplainedAction
  }
  const found = word === undefined ? 'nothing' : JSON.stringify(word.slice(0, 100))
  throw invalid(`'action' must be one of ${Object.keys(EXPLAINED).join(', ')}; found ${found}`)
}

/** Returns the objects that the action needs: zone, owner name, type. */
export function needsOf(action: ExplainedAction): readonly (keyof ExplainedObject)[] {
  return EXPLAINED[action].needs
}

/**
 * Returns the decision of `authorize` with all reasons. `object` must contain the members of
 * `needsOf`.
 */
export function explain(
  actor: Actor,
  action: ExplainedAction,
  object: ExplainedObject
): Explanation {
  const steps = requestsFor(actor, action, object).map((request) => authorize(actor, request))
  const decisions = actor.key ? [...steps, operating(actor, action)] : steps
  const refused = decisions.filter(({ allowed }) => !allowed)
  if (refused.length === 0) {
    const isAsked = decisions.some(({ review }) => review)
    const reasons = distinct(decisions.flatMap(({ reasons: some }) => some))
    return { decision: isAsked ? 'request' : 'allow', reasons }
  }
  const reasons = refused.flatMap(({ reasons: some }) => some)
  return {
    decision: 'deny',
    reasons: distinct([...reasons, ...asides(actor, action, object, refused)]),
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
      return [{ action: RIGHT_OF[action], zone: zone! }, { action: 'key.rename_zone' }]
    case 'zone.add_owners':
      return [
        { action: RIGHT_OF[action], zone: zone! },
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

function isComposed(action: ExplainedAction): action is keyof typeof RIGHT_OF {
  return Object.hasOwn(RIGHT_OF, action)
}

function isZoneAction(action: ExplainedAction): action is ZoneAction & ExplainedAction {
  return needsOf(action).includes('zone') && !isComposed(action) && !isReview(action)
}

function isReview(action: ExplainedAction): boolean {
  return REVIEW_ACTIONS.includes(action as ReviewAction)
}

/** Returns whether the key allows the operations of the action. */
function operating(actor: Actor, action: ExplainedAction): Decision {
  const { operations, any }: Explained = EXPLAINED[action]
  const asked = any ? operations.map((operation) => [operation]) : [[...operations]]
  const decisions = asked.map((each) =>
    authorize(actor, { action: 'key.operate', operations: each })
  )
  return decisions.find(({ allowed }) => allowed) ?? decisions[0]
}

/** Further reasons of a refusal: rights that do not reach the zone, and a hidden zone. */
function asides(
  actor: Actor,
  action: ExplainedAction,
  { zone }: ExplainedObject,
  refused: Decision[]
): Reason[] {
  const byRight = refused.some(({ reasons }) => reasons.some(({ rule }) => rule === 'permission'))
  if (!zone || !byRight || isSuperUser(actor) || isReview(action)) {
    return []
  }
  const right = isComposed(action) ? RIGHT_OF[action] : (action as ZoneAction)
  const hidden = {
    rule: 'hidden',
    message: 'Users without any permission on the zone get the same answer as for a missing zone',
    source: 'no permission',
  }
  return [
    ...rightsOutOfReach(actor, right, zone),
    ...(refused.some((decision) => decision.hidden) ? [hidden] : []),
  ]
}

function distinct(reasons: Reason[]): Reason[] {
  const known = new Map(
    reasons.map((reason) => [`${reason.rule} ${reason.message} ${reason.source}`, reason])
  )
  return [...known.values()]
}
