import { APPROVAL_NEEDED_MESSAGE } from '#access/approval'
import { demand, requireView, canView } from '#access/demand'
import { loadZoneFacts } from '#access/ownership'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { ZoneExists } from '#backends/contract/errors'
import { changeEvents } from '#changes/transaction/audit_events'
import type { ChangeContext } from '#changes/transaction/change_context'
import type { ChangeSet, ZoneChangeSet } from '#changes/model/change_set'
import { PreconditionFailed, type CurrentObject } from '#changes/planning/preconditions'
import { checkPlanHash, toStalePlan, storePlan } from '#changes/planning/plan_store'
import { toStoredAuthor, storeEffects } from '#changes/transaction/effect_handlers'
import type { ZoneEffects } from '#changes/model/side_effects'
import { journalAuthorOf } from '#changes/journal/write_entry'
import { outbox } from '#changes/transaction/outbox'
import { syncExternalChanges } from '#changes/recovery/sync_server'
import { planHash, planParts } from '#changes/model/plan_hash'
import {
  ActionRefused,
  isExpected,
  MAX_ACTION_ERRORS,
  type ActionErrors,
  type ItemPosition,
} from '#changes/model/action_error'
import { recordApplied, idempotencyHooks } from '#changes/idempotency/requests'
import { checkApplyAt, fileRequest } from '#changes/requests/create'
import { mustFileRequest, markForReview } from '#changes/planning/review_routing'
import { planCreation } from '#changes/planning/create_zone'
import { planDeletion } from '#changes/planning/delete_zone'
import { planEdit } from '#changes/planning/edit_zone'
import { DryRunRollback, outcomeOf, type Filed, type Outcome } from '#changes/model/outcome'
import type { ZonePlan, AppliedZone } from '#changes/model/zone_plan'
import { MIN_LONG_WRITE, enqueueSortRows } from '#changes/zone_index/sort_rows'
import { addWriteWarnings } from '#changes/warnings/after_write'
import { writeZones } from '#changes/recovery/write_zones'
import type { ZoneWrite } from '#changes/transaction/zone_transaction'
import { InvalidDns } from '#dns/errors'
import { changesCommentsOnly } from '#dns/record_comments'
import { Refusal, conflict, forbidden, notFound } from '#exceptions/refusal'

/** An approved change request that a change set applies (`isApproved`). */
export interface ApprovedRequest {
  /** Its changes, computed under the locks of its zones. Throws if its baseline does not hold. */
  zones(write: ZoneWrite, locked: Map<number, BackendZone>): Promise<ZoneChangeSet[]>
  /**
   * Called after the planning and before the first write. Throws if the request must not be
   * applied.
   */
  settle(write: ZoneWrite, locked: Map<number, BackendZone>, plans: ZonePlan[]): Promise<void>
}

/**
 * Applies a change set: locks its zones, plans all changes, writes rows, serials and journal, and
 * commits all or nothing. A dry run ends after the plan. A change that needs review is refused with
 * a 403, or filed if the intent allows it; `ask` files any change.
 *
 * @throws Refusal, `InvalidDns` or `PreconditionFailed` if the plan is not possible; nothing is
 *   changed
 * @throws StalePlan if the plan differs from the one that the intent names; nothing is changed
 */
export async function submitChangeSet(
  backend: DnsBackend,
  requested: ChangeSet,
  approval?: ApprovedRequest
): Promise<Outcome<AppliedZone[]>> {
  const startedAt = performance.now()
  try {
    const outcome = await runChangeSet(backend, requested, approval)
    if (outcome.kind === 'planned') {
      await storePlan(outcome.plan)
      await addWriteWarnings(backend, requested, outcome.plan.zones)
    }
    if (outcome.kind === 'applied') {
      const zones = outcome.result
      outbox.wake()
      if (performance.now() - startedAt > MIN_LONG_WRITE.ms) {
        enqueueSortRows(zones.map(({ zone }) => zone.id))
      }
      await addWriteWarnings(backend, requested, zones)
    }
    return outcome
  } catch (error) {
    if (error instanceof PreconditionFailed) {
      const zone = zoneOf(error.current)
      if (error.current.kind === 'zone') {
        // The entry of external changes was rolled back, too; readers need the entity tag that the
        // error names.
        await syncExternalChanges(backend, zone)
      }
      const isShown = canView(requested.intent.actor, await loadZoneFacts(zone))
      throw new PreconditionFailed(error.condition, error.current, isShown)
    }
    throw error instanceof ZoneExists ? conflict('Domain already exists') : error
  }
}

/** The transaction of a change set, with its outcome. */
async function runChangeSet(
  backend: DnsBackend,
  requested: ChangeSet,
  approval?: ApprovedRequest
): Promise<Outcome<AppliedZone[]>> {
  const outcome = await outcomeOf(() =>
    writeZones(backend, async (write): Promise<AppliedZone[] | Filed> => {
      const { session, trx } = write
      const ids = requested.zones.flatMap((change) =>
        change.op === 'create' ? [] : [change.zoneId]
      )
      const locked = await session.lockZones(ids)
      const set = approval
        ? { ...requested, zones: await approval.zones(write, locked) }
        : requested
      const context = { set, ...write }
      await requireViewOfPlan(context, locked)
      const plans = await planAll(context, locked)
      await checkDryRunAndHash(context, plans)
      await approval?.settle(write, locked, plans)
      const zones: AppliedZone[] = []
      const effects: ZoneEffects[] = []
      if (await mustFileRequest(context, locked, plans)) {
        if (set.intent.review === undefined) throw forbidden(APPROVAL_NEEDED_MESSAGE)
        return fileRequestInstead(context, locked, plans)
      }
      for (const [index, plan] of plans.entries()) {
        const applied = await plan.apply()
        const change = set.zones[index]
        zones.push(applied)
        if (applied.entry !== null) {
          const before = locked.get(applied.zone.id) ?? null
          const after = change.op === 'delete' ? null : applied.zone
          const followUps = isServed(applied)
            ? backend.afterWrite(before, after, writesMetadata(change))
            : []
          const auditEvents = changeEvents(change, applied)
          await storeEffects({ trx, actor: set.intent.actor }, { outbox: followUps, auditEvents })
          effects.push(zoneEffects(change, applied, { auditEvents, outbox: followUps }))
        } else if (applied.effects) {
          effects.push(zoneEffects(change, applied, { auditEvents: [], outbox: [] }))
        }
      }
      const { repeatId } = set.intent
      const keyStates = repeatId === null ? undefined : idempotencyHooks(repeatId)
      session.setPendingEffects?.({
        author: toStoredAuthor(journalAuthorOf(set), repeatId),
        effects,
        hooks: keyStates,
      })
      if (repeatId !== null) {
        await recordApplied(trx, repeatId)
      }
      return zones
    })
  )
  if (outcome.kind !== 'applied') return outcome
  const { result } = outcome
  return Array.isArray(result) ? { kind: 'applied', result } : result
}

/** Files a request instead of the change, in the same transaction. */
async function fileRequestInstead(
  context: ChangeContext,
  locked: Map<number, BackendZone>,
  plans: ZonePlan[]
): Promise<Filed> {
  const { actor, applyAt = null, repeatId } = context.set.intent
  checkApplyAt(applyAt)
  const request = await fileRequest(context, locked, plans, { applyAt })
  if (repeatId !== null) {
    await recordApplied(context.trx, repeatId)
  }
  let isShown = true
  for (const zone of locked.values()) {
    isShown &&= canView(actor, await loadZoneFacts(zone, context.trx))
  }
  return { kind: 'filed', request, isShown }
}

/** The side effects of one zone, as a pending write stores them. */
function zoneEffects(
  change: ZoneChangeSet,
  { zone, journal = { zoneBefore: null, zoneAfter: null }, effects }: AppliedZone,
  afterEntry: Pick<ZoneEffects, 'auditEvents' | 'outbox'>
): ZoneEffects {
  const origin = change.op === 'edit' ? change.origin : undefined
  return {
    zoneId: zone.id,
    zoneName: zone.name,
    journal,
    ...(origin ? { origin } : {}),
    ...(effects ?? { template: null, comments: [] }),
    ...afterEntry,
  }
}

/** Whether name servers must be notified; they do not serve comments. */
function isServed({ changes, journal }: AppliedZone): boolean {
  const changesProperties = Boolean(journal?.zoneBefore ?? journal?.zoneAfter)
  return changesProperties || changes.length === 0 || !changes.every(changesCommentsOnly)
}

/** Whether the change writes metadata. A restore of a zone writes keys, too. */
function writesMetadata(change: ZoneChangeSet): boolean {
  switch (change.op) {
    case 'create':
      return change.restored !== undefined
    case 'edit':
      return change.properties?.metadata !== undefined
    case 'delete':
      return false
  }
}

/** A plan shows the content of a zone: dry runs and plan hashes require the right to view it. */
async function requireViewOfPlan(
  { set: { intent, zones }, trx }: ChangeContext,
  locked: Map<number, BackendZone>
): Promise<void> {
  if (!intent.dryRun && intent.planHash === null) {
    return
  }
  for (const zone of locked.values()) {
    requireView(intent.actor, await loadZoneFacts(zone, trx))
  }
  if (zones.some((change) => change.op === 'create' && change.restored)) {
    demand(intent.actor, { action: 'key.operate', operations: ['view'] })
  }
}

function zoneOf(current: CurrentObject): BackendZone {
  return current.kind === 'zone' ? current.tagged.zone : current.zone
}

/**
 * Plans all zones, and sets which of them need review. If the planning fails because a known plan
 * is outdated, it throws `StalePlan`.
 */
export async function planAll(
  context: ChangeContext,
  locked: Map<number, BackendZone>
): Promise<ZonePlan[]> {
  const { set, session, trx } = context
  const { planHash: expectedHash } = set.intent
  const plans: ZonePlan[] = []
  const refused: ActionRefused[] = []
  try {
    for (const change of set.zones) {
      try {
        plans.push(await planZone(context, change, locked).catch(addZoneToError(change)))
      } catch (error) {
        // The other zones are planned, too, so that one answer has the refusals of all.
        if (!(error instanceof ActionRefused))
          throw isExpected(error) ? (refused[0] ?? error) : error
        refused.push(...[error, ...error.otherActions])
      }
    }
    const [first, ...others] = refused
    if (first) {
      first.otherActions = others.slice(0, MAX_ACTION_ERRORS - 1)
      throw first
    }
    await markForReview(context, locked, plans)
    return plans
  } catch (error) {
    if (expectedHash === null || !canBeStale(error)) {
      throw error
    }
    const zones = new Map([...locked.values()].map((zone) => [zone.name, zone]))
    throw await toStalePlan(error, trx, expectedHash, async (name, owners) => {
      const zone = zones.get(name)
      return zone ? session.rrsetsAt(zone, owners) : []
    })
  }
}

/**
 * Whether the state of a zone may be the cause of the error. Rights and database errors are not.
 */
function canBeStale(error: unknown): error is Error {
  return (
    error instanceof InvalidDns ||
    error instanceof PreconditionFailed ||
    (error instanceof Refusal && error.status !== 403)
  )
}

async function planZone(
  context: ChangeContext,
  change: ZoneChangeSet,
  locked: Map<number, BackendZone>
): Promise<ZonePlan> {
  if (change.op === 'create') {
    return planCreation(context, change)
  }
  const zone = locked.get(change.zoneId)
  if (!zone) {
    throw notFound('Zone not found')
  }
  return change.op === 'delete'
    ? planDeletion(context, zone, change)
    : planEdit(context, zone, change)
}

/** Adds the zone to a refused action. */
function addZoneToError(change: ZoneChangeSet): (error: unknown) => never {
  return (error) => {
    if (error instanceof ActionRefused && change.op === 'edit') {
      for (const refused of error.all) refused.zoneId = change.zoneId
    }
    throw error
  }
}

/** Ends a dry run, and refuses a plan with another hash than the requested one. */
async function checkDryRunAndHash({ set, trx }: ChangeContext, zones: ZonePlan[]): Promise<void> {
  const { intent } = set
  if (!intent.dryRun && intent.planHash === null) {
    return
  }
  const parts = await planParts(zones)
  const plan = { hash: planHash(parts), zones }
  if (intent.planHash !== null) {
    await checkPlanHash(trx, intent.planHash, plan, parts)
  }
  if (intent.dryRun) {
    throw new DryRunRollback(plan)
  }
}

/** A change set of the valid items of a request. */
export interface ItemChangeSet {
  set: ChangeSet
  /** The item of a refused action; undefined if the action is of no item. */
  positionOf: (refused: ActionRefused) => ItemPosition | undefined
}

/**
 * Applies the change set if no item is refused yet. Otherwise it plans the valid items, and throws
 * one `ActionRefused` with the refusals of all stages.
 *
 * @param errors the items that an earlier stage refused
 */
export async function submitOrRefuse(
  backend: DnsBackend,
  errors: ActionErrors,
  { set, positionOf }: ItemChangeSet
): Promise<Outcome<AppliedZone[]>> {
  const intent = errors.isEmpty ? set.intent : { ...set.intent, dryRun: true, planHash: null }
  const outcome = await submitChangeSet(backend, { ...set, intent }).catch((error: unknown) =>
    errors.throwWith(error, positionOf)
  )
  errors.throwIfAny()
  return outcome
}
