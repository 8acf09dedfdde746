import { inject } from '@adonisjs/core'
import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { AccessDenied, demand } from '#access/demand'
import { zoneTag } from '#changes/tags'
import type { ChangePlan } from '#changes/zone_plan'
import { ConditionFailed } from '#changes/conditions'
import { intentOf } from '#changes/intent'
import { PlanMoved } from '#changes/known_plans'
import { RequestFiled } from '#changes/requests/filing'
import type { LocalChanges } from '#dns/templates/drift'
import { InvalidDns } from '#dns/errors'
import { notFound, Refusal } from '#exceptions/refusal'
import { planView, type NameDiff } from '#web/plan_view'
import { shownName, type ShownName } from '#web/shown_name'
import { DeleteZone } from '#zones/delete_zone'
import { ZoneDirectory } from '#zones/directory'
import { HandOver, lost, owns, type NewOwner } from '#zones/hand_over'
import { TemplateSync, type SyncOutcome } from '#zones/templates/template_sync'
import { viewZoneTemplate } from '#zones/templates/zone_templates'
import { ZoneList, type ListedZone } from '#zones/zone_list'
import { factsOfAll, ZoneSummaries } from '#zones/zone_summaries'

export const BULK_ACTIONS = ['delete', 'owner', 'template'] as const
export type BulkAction = (typeof BULK_ACTIONS)[number]

/** Zones of one selection: each is looked at before anything is done. */
export const MOST_AT_ONCE = 500
/** Zones that are compared with a template at once, as GET /zone-templates/{id}/drift does. */
export const MOST_TEMPLATED = 100
/** Zones of one step, and how long one may take (ms) before it begins no further zone. */
const STEP = 25
const STEP_MS = 2_000

/** What is to be done to each of some zones. */
export type BulkOrder =
  | { action: 'delete' }
  | { action: 'owner'; owner: NewOwner }
  /** `link`: also zones that came from no template, or from another; they are linked to this one. */
  | { action: 'template'; templateId: number; localChanges: LocalChanges; link: boolean }

/** A text of the catalogue. */
export interface Said {
  key: string
  data?: Record<string, string | number>
}

/** What would become of one zone. */
export interface PlannedZone {
  id: number
  name: ShownName
  outcome: 'change' | 'review' | 'nothing' | 'refused'
  says: Said[]
  /** Why it is refused. */
  reason: string | null
  names: NameDiff[]
  /** By what it is known again, so that nothing is done to a zone that has changed since. */
  token: string
}

/** What came of one zone. */
export interface BulkResult {
  id: number
  name: ShownName
  outcome: 'done' | 'filed' | 'failed'
  says: Said | null
  reason: string | null
}

/** A zone and the token of its plan. */
export interface BulkItem {
  id: number
  token: string
}

/** Changes of many zones, each a change set of its own: planned, shown, and carried out step by step. */
@inject()
export class Bulk {
  constructor(
    private readonly zones: ZoneList,
    private readonly summaries: ZoneSummaries,
    private readonly directory: ZoneDirectory,
    private readonly deletion: DeleteZone,
    private readonly handOver: HandOver,
    private readonly templates: TemplateSync
  ) {}

  /**
   * Goes on only for whoever may change the owners of one of the zones: before anything is said of whoever is named.
   * Throws a 404 `Refusal` where they see none of them, else a 403.
   */
  async demandOwners(actor: Actor, ids: number[]): Promise<void> {
    const facts = await factsOfAll(await this.zones.among(actor, ids))
    if (facts.length === 0) {
      throw notFound('Zone not found')
    }
    const mayOne = facts.some(
      (zone) => authorize(actor, { action: 'zone.edit_owners', zone }).allowed
    )
    if (!mayOne) {
      demand(actor, { action: 'zone.edit_owners', zone: facts[0] })
    }
  }

  /** What the order would do to each zone that the actor sees. Nothing is changed. Throws for an order that cannot be. */
  async plan(actor: Actor, ids: number[], order: BulkOrder): Promise<PlannedZone[]> {
    const zones = await this.zones.among(actor, ids)
    switch (order.action) {
      case 'delete':
        return this.#planDeletion(actor, zones)
      case 'owner':
        return this.#planOwner(actor, zones, order.owner)
      case 'template':
        return this.#planTemplate(actor, zones, order)
    }
  }

  /** Does the first step of what is to be done: gives what came of it, and the zones that wait. */
  async step(
    actor: Actor,
    items: BulkItem[],
    order: BulkOrder,
    reason: string | null
  ): Promise<{ results: BulkResult[]; rest: BulkItem[]; refusals: Error[] }> {
    const zones = await this.zones.among(
      actor,
      items.slice(0, STEP).map(({ id }) => id)
    )
    const names = new Map(zones.map(({ id, name }) => [id, name]))
    const results: BulkResult[] = []
    const refusals: Error[] = []
    const began = performance.now()
    for (const item of items.slice(0, STEP)) {
      if (results.length > 0 && performance.now() - began > STEP_MS) break
      const name = shownName(names.get(item.id) ?? String(item.id))
      try {
        await this.#carryOut(actor, item, order, reason)
        const says = { key: `bulk.done_${order.action}` }
        results.push({ id: item.id, name, outcome: 'done', says, reason: null })
      } catch (error) {
        results.push({ id: item.id, name, ...failure(error) })
        if (error instanceof Refusal) refusals.push(error)
      }
    }
    return { results, rest: items.slice(results.length), refusals }
  }

  async #planDeletion(actor: Actor, zones: ListedZone[]): Promise<PlannedZone[]> {
    const summaries = await this.summaries.of(actor, zones)
    const planned: PlannedZone[] = []
    for (const { id, name, records, signing } of summaries) {
      const says: Said[] = [
        {
          key: records === null ? 'bulk.goes' : 'bulk.goes_records',
          data: { count: records ?? 0 },
        },
        ...(signing ? [{ key: 'bulk.goes_signed' }] : []),
      ]
      const plan = { id, name: shownName(name), names: [], reason: null, token: '' }
      try {
        const open = await this.directory.open(actor, id, 'zone.delete')
        const isAsked =
          authorize(actor, { action: 'zone.delete', zone: open.facts }).review === true
        const token = zoneTag(await this.directory.describe(open.zone)).replaceAll('"', '')
        planned.push({ ...plan, outcome: isAsked ? 'review' : 'change', says, token })
      } catch (error) {
        planned.push({ ...plan, outcome: 'refused', says: [], reason: told(error) })
      }
    }
    return planned
  }

  async #planOwner(actor: Actor, zones: ListedZone[], owner: NewOwner): Promise<PlannedZone[]> {
    const to = await this.handOver.grantee(actor, owner, db.connection())
    const summaries = await this.summaries.of(actor, zones)
    const now = new Map(summaries.map(({ id, owners }) => [id, owners]))
    const facts = await factsOfAll(zones)
    return facts.map((zone) => {
      const decision = this.handOver.decide(actor, zone, to, owner)
      const { users, groups } = lost(zone, owner)
      const isSame = owns(zone, owner) && users.length + groups.length === 0
      const plan = { id: zone.id, name: shownName(zone.name), names: [], token: '-' }
      if (!decision.allowed) {
        const reason = decision.reasons.map(({ message }) => message).join('; ')
        return { ...plan, outcome: 'refused', says: [], reason }
      }
      const known = now.get(zone.id)
      const names = [...(known?.users ?? []), ...(known?.groups ?? [])].map(({ name }) => name)
      const says = isSame
        ? [{ key: 'bulk.owned_already' }]
        : [
            { key: 'bulk.owned_by', data: { names: names.join(', ') || '–' } },
            { key: owner.keepsOthers ? 'bulk.owner_joins' : 'bulk.owner_alone' },
          ]
      return { ...plan, outcome: isSame ? 'nothing' : 'change', says, reason: null }
    })
  }

  async #planTemplate(
    actor: Actor,
    zones: ListedZone[],
    { templateId, localChanges, link }: BulkOrder & { action: 'template' }
  ): Promise<PlannedZone[]> {
    const template = await viewZoneTemplate(actor, templateId)
    const names = new Map(zones.map(({ id, name }) => [id, shownName(name)]))
    const outcomes = await this.templates.sync(
      intentOf(actor, { dryRun: true }),
      template,
      zones.map(({ id }) => id),
      { localChanges, link }
    )
    return templatePlans(outcomes, names)
  }

  async #carryOut(
    actor: Actor,
    { id, token }: BulkItem,
    order: BulkOrder,
    reason: string | null
  ): Promise<void> {
    switch (order.action) {
      case 'delete': {
        const open = await this.directory.open(actor, id, 'zone.delete')
        const intent = intentOf(actor, { reason, review: 'file' })
        return this.deletion.handle(intent, open, { kind: 'match', tags: [`"${token}"`] })
      }
      case 'owner':
        return this.handOver.give(intentOf(actor, { reason }), id, order.owner)
      case 'template': {
        const { templateId, localChanges, link } = order
        const template = await viewZoneTemplate(actor, templateId)
        const intent = intentOf(actor, { reason, planHash: token, review: 'file' })
        const options = { localChanges, link }
        const [outcome] = await this.templates.sync(intent, template, [id], options)
        if ('refusal' in outcome) throw outcome.refusal
      }
    }
  }
}

/** What bringing zones to their template would do to each, by the outcomes of a dry run. */
export function templatePlans(
  outcomes: readonly SyncOutcome[],
  names: ReadonlyMap<number, ShownName>
): PlannedZone[] {
  return outcomes.map((outcome) => {
    const plan = {
      id: outcome.zoneId,
      name: names.get(outcome.zoneId) ?? shownName(String(outcome.zoneId)),
      token: '',
    }
    if ('refusal' in outcome) {
      const reason = told(outcome.refusal)
      return { ...plan, outcome: 'refused', says: [], names: [], reason }
    }
    return 'plan' in outcome
      ? { ...plan, ...templatePlan(outcome.plan), reason: null, token: outcome.plan.hash }
      : { ...plan, outcome: 'nothing', says: [], names: [], reason: null }
  })
}

/** What is told of a zone to which it was not done; what is no refusal goes on to where faults are told. */
function failure(error: unknown): Pick<BulkResult, 'outcome' | 'says' | 'reason'> {
  if (error instanceof RequestFiled) {
    const says = { key: 'bulk.filed', data: { id: error.request.id } }
    return { outcome: 'filed', says, reason: null }
  }
  const hasMoved = error instanceof ConditionFailed || error instanceof PlanMoved
  return hasMoved
    ? { outcome: 'failed', says: { key: 'bulk.moved' }, reason: null }
    : { outcome: 'failed', says: null, reason: told(error) }
}

function templatePlan(plan: ChangePlan): Pick<PlannedZone, 'outcome' | 'says' | 'names'> {
  const [zone] = planView(plan).zones
  const isSame = zone.rrsets === 0
  const isAsked = plan.zones.some(({ needsReview }) => needsReview)
  const says = isSame
    ? [{ key: 'bulk.linked_only' }]
    : [{ key: 'bulk.rrsets', data: { count: zone.rrsets } }]
  return { outcome: isAsked ? 'review' : 'change', says, names: zone.names }
}

/** Why something was refused, in words; what is no refusal goes on to where faults are told. */
function told(error: unknown): string {
  if (error instanceof AccessDenied || error instanceof Refusal || error instanceof InvalidDns) {
    return error.message
  }
  throw error
}
