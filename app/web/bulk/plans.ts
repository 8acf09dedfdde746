import { inject } from '@adonisjs/core'
import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { AccessDenied } from '#access/demand'
import { intentOf } from '#changes/model/intent'
import { zoneTag } from '#changes/model/etags'
import type { ChangePlan } from '#changes/model/zone_plan'
import { InvalidDns } from '#dns/errors'
import type { LocalChanges } from '#dns/templates/drift'
import { Refusal } from '#exceptions/refusal'
import {
  MAX_TEXT,
  planView,
  type Cut,
  type NameDiff,
  type DisplayLimits,
} from '#web/plans/plan_view'
import { displayName, type DisplayName } from '#web/page/display_name'
import { ZoneDirectory } from '#zones/directory'
import {
  OwnershipTransfer,
  lostOwners,
  owns,
  type RetainedOwners,
  type NewOwner,
} from '#zones/ownership/transfer'
import { TemplateSync, type SyncOutcome } from '#zones/templates/template_sync'
import { viewZoneTemplate } from '#zones/templates/zone_templates'
import { ZoneList } from '#zones/list/zone_list'
import type { ListedZone } from '#zones/list/full_list'
import { factsOfAll, ZoneSummaries } from '#zones/list/summaries'

/** Maximum lines of changes for all zones together. */
const MAX_LINES = 200

const RETAINED_OWNERS_TEXT: Record<RetainedOwners, string> = {
  all: 'bulk.owner_joins',
  groups: 'bulk.owner_groups_stay',
  none: 'bulk.owner_alone',
}

/** The bulk change that a form requests for the selected zones. */
export type BulkChange =
  | { action: 'delete' }
  | { action: 'owner'; owner: NewOwner }
  /** `link`: also links zones without a template or with another one to this template. */
  | { action: 'template'; templateId: number; localChanges: LocalChanges; link: boolean }

/** A text of the catalogue. */
export interface TranslatedText {
  key: string
  data?: Record<string, string | number>
}

/** Planned change of one zone. */
export interface PlannedZone {
  id: number
  name: DisplayName
  outcome: 'change' | 'review' | 'nothing' | 'refused'
  says: TranslatedText[]
  /** Reason why the change of the zone is refused. */
  reason: string | null
  names: NameDiff[]
  /** Number of displayed RRsets; null if all are displayed. */
  cut: Cut | null
  /** Identifies the plan. The zone is skipped if its plan has changed since. */
  token: string
}

/** Plans bulk changes of zones. */
@inject()
export class BulkPlans {
  constructor(
    private readonly zones: ZoneList,
    private readonly summaries: ZoneSummaries,
    private readonly directory: ZoneDirectory,
    private readonly handOver: OwnershipTransfer,
    private readonly templates: TemplateSync
  ) {}

  /** The plan for each visible zone. Changes nothing. Throws for an invalid order. */
  async of(actor: Actor, ids: number[], order: BulkChange): Promise<PlannedZone[]> {
    const zones = await this.zones.listByIds(actor, ids)
    switch (order.action) {
      case 'delete':
        return this.#planDeletion(actor, zones)
      case 'owner':
        return this.#planOwner(actor, zones, order.owner)
      case 'template':
        return this.#planTemplate(actor, zones, order)
    }
  }

  async #planDeletion(actor: Actor, zones: ListedZone[]): Promise<PlannedZone[]> {
    const summaries = await this.summaries.readVisible(actor, zones)
    const plannedZones: PlannedZone[] = []
    for (const { id, name, records, signing } of summaries) {
      const texts: TranslatedText[] = [
        {
          key: records === null ? 'bulk.goes' : 'bulk.goes_records',
          data: { count: records ?? 0 },
        },
        ...(signing ? [{ key: 'bulk.goes_signed' }] : []),
      ]
      const plan = { id, name: displayName(name), names: [], cut: null, reason: null, token: '' }
      try {
        const openedZone = await this.directory.open(actor, id, 'zone.delete')
        const isAsked =
          authorize(actor, { action: 'zone.delete', zone: openedZone.facts }).review === true
        const token = zoneTag(await this.directory.describe(openedZone.zone)).replaceAll('"', '')
        plannedZones.push({ ...plan, outcome: isAsked ? 'review' : 'change', says: texts, token })
      } catch (error) {
        plannedZones.push({ ...plan, outcome: 'refused', says: [], reason: reasonOf(error) })
      }
    }
    return plannedZones
  }

  async #planOwner(actor: Actor, zones: ListedZone[], owner: NewOwner): Promise<PlannedZone[]> {
    const to = await this.handOver.grantee(actor, owner, db.connection())
    const summaries = await this.summaries.readVisible(actor, zones)
    const ownersByZone = new Map(summaries.map(({ id, owners }) => [id, owners]))
    const facts = await factsOfAll(zones)
    return facts.map((zone) => {
      const decision = this.handOver.decide(actor, zone, to, owner)
      const { users, groups } = lostOwners(zone, owner)
      const isSame = owns(zone, owner) && users.length + groups.length === 0
      const plan = { id: zone.id, name: displayName(zone.name), names: [], cut: null, token: '-' }
      if (!decision.allowed) {
        const reason = decision.reasons.map(({ message }) => message).join('; ')
        return { ...plan, outcome: 'refused', says: [], reason }
      }
      const currentOwners = ownersByZone.get(zone.id)
      const names = [...(currentOwners?.users ?? []), ...(currentOwners?.groups ?? [])].map(
        ({ name }) => name
      )
      const texts = isSame
        ? [{ key: 'bulk.owned_already' }]
        : [
            { key: 'bulk.owned_by', data: { names: names.join(', ') || '–' } },
            { key: RETAINED_OWNERS_TEXT[owner.retainedOwners] },
          ]
      return { ...plan, outcome: isSame ? 'nothing' : 'change', says: texts, reason: null }
    })
  }

  async #planTemplate(
    actor: Actor,
    zones: ListedZone[],
    { templateId, localChanges, link }: BulkChange & { action: 'template' }
  ): Promise<PlannedZone[]> {
    const template = await viewZoneTemplate(actor, templateId)
    const names = new Map(zones.map(({ id, name }) => [id, displayName(name)]))
    const outcomes = await this.templates.sync(
      intentOf(actor, { dryRun: true }),
      template,
      zones.map(({ id }) => id),
      { localChanges, link }
    )
    return templatePlans(outcomes, names)
  }
}

/** Returns the planned changes of a sync with the template, from the results of a dry run. */
export async function templatePlans(
  outcomes: readonly SyncOutcome[],
  names: ReadonlyMap<number, DisplayName>
): Promise<PlannedZone[]> {
  const limits = {
    lines: Math.max(1, Math.floor(MAX_LINES / outcomes.length)),
    characters: Math.floor(MAX_TEXT / outcomes.length),
  }
  const plans: PlannedZone[] = []
  for (const outcome of outcomes) {
    const plan = {
      id: outcome.zoneId,
      name: names.get(outcome.zoneId) ?? displayName(String(outcome.zoneId)),
      token: '',
    }
    if ('refusal' in outcome) {
      const reason = reasonOf(outcome.refusal)
      plans.push({ ...plan, outcome: 'refused', says: [], names: [], cut: null, reason })
    } else if ('plan' in outcome) {
      const zonePlan = await templatePlan(outcome.plan, limits)
      plans.push({ ...plan, ...zonePlan, reason: null, token: outcome.plan.hash })
    } else {
      plans.push({ ...plan, outcome: 'nothing', says: [], names: [], cut: null, reason: null })
    }
  }
  return plans
}

async function templatePlan(
  plan: ChangePlan,
  limits: DisplayLimits
): Promise<Pick<PlannedZone, 'outcome' | 'says' | 'names' | 'cut'>> {
  const view = await planView(plan, limits)
  const [zone] = view.zones
  const isSame = zone.rrsets === 0
  const isAsked = plan.zones.some(({ needsReview }) => needsReview)
  const texts = isSame
    ? [{ key: 'bulk.linked_only' }]
    : [{ key: 'bulk.rrsets', data: { count: zone.rrsets } }]
  return { outcome: isAsked ? 'review' : 'change', says: texts, names: zone.names, cut: zone.cut }
}

/** The reason of a refusal. Rethrows errors that are no `Refusal`. */
export function reasonOf(error: unknown): string {
  if (error instanceof AccessDenied || error instanceof Refusal || error instanceof InvalidDns) {
    return error.message
  }
  throw error
}
