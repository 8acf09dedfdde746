import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { PreconditionFailed } from '#changes/planning/preconditions'
import { intentOf } from '#changes/model/intent'
import { StalePlan } from '#changes/planning/plan_store'
import type { Outcome } from '#changes/model/outcome'
import { notFound, Refusal } from '#exceptions/refusal'
import { reasonOf, type BulkChange, type TranslatedText } from '#web/bulk/plans'
import { displayName, type DisplayName } from '#web/page/display_name'
import { DeleteZone } from '#zones/lifecycle/delete'
import { ZoneDirectory } from '#zones/directory'
import { OwnershipTransfer } from '#zones/ownership/transfer'
import { TemplateSync } from '#zones/templates/template_sync'
import { viewZoneTemplate } from '#zones/templates/zone_templates'
import { ZoneList } from '#zones/list/zone_list'
import { factsOfAll } from '#zones/list/summaries'

export const BULK_ACTIONS = ['delete', 'owner', 'template'] as const
export type BulkAction = (typeof BULK_ACTIONS)[number]

/** Maximum number of selected zones. All are checked before a change begins. */
export const MAX_SELECTED_ZONES = 500
/** Zones that are compared with a template at once, as GET /zone-templates/{id}/drift does. */
export const MAX_TEMPLATE_ZONES = 100
/** Maximum zones of one step, and the time in ms after which a step starts no further zone. */
const STEP_BATCH_SIZE = 25
const STEP_MS = 2_000

/** Result for one zone. */
export interface BulkResult {
  id: number
  name: DisplayName
  outcome: 'done' | 'filed' | 'failed'
  says: TranslatedText | null
  reason: string | null
}

/** A zone and the token of its plan. */
export interface BulkItem {
  id: number
  token: string
}

/** Changes many zones, each by its own change set: executes plans of `BulkPlans` step by step. */
@inject()
export class Bulk {
  constructor(
    private readonly zones: ZoneList,
    private readonly directory: ZoneDirectory,
    private readonly deletion: DeleteZone,
    private readonly handOver: OwnershipTransfer,
    private readonly templates: TemplateSync
  ) {}

  /**
   * Throws unless the actor may change the owners of one of the zones, before anything about named users is shown. A 404
   * `Refusal` if all are hidden, else a 403.
   */
  async demandOwners(actor: Actor, ids: number[]): Promise<void> {
    const facts = await factsOfAll(await this.zones.listByIds(actor, ids))
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

  /** Executes a step. Returns its results and the remaining zones. */
  async step(
    actor: Actor,
    items: BulkItem[],
    order: BulkChange,
    reason: string | null
  ): Promise<{ results: BulkResult[]; rest: BulkItem[]; refusals: Error[] }> {
    const zones = await this.zones.listByIds(
      actor,
      items.slice(0, STEP_BATCH_SIZE).map(({ id }) => id)
    )
    const names = new Map(zones.map(({ id, name }) => [id, name]))
    const results: BulkResult[] = []
    const refusals: Error[] = []
    const began = performance.now()
    for (const item of items.slice(0, STEP_BATCH_SIZE)) {
      if (results.length > 0 && performance.now() - began > STEP_MS) break
      const name = displayName(names.get(item.id) ?? String(item.id))
      try {
        const outcome = await this.#apply(actor, item, order, reason)
        const isFiled = outcome.kind === 'filed'
        const says = isFiled
          ? { key: 'bulk.filed', data: { id: outcome.request.id } }
          : { key: `bulk.done_${order.action}` }
        results.push({ id: item.id, name, outcome: isFiled ? 'filed' : 'done', says, reason: null })
      } catch (error) {
        results.push({ id: item.id, name, ...failure(error) })
        if (error instanceof Refusal) refusals.push(error)
      }
    }
    return { results, rest: items.slice(results.length), refusals }
  }

  async #apply(
    actor: Actor,
    { id, token }: BulkItem,
    order: BulkChange,
    reason: string | null
  ): Promise<Outcome<unknown>> {
    switch (order.action) {
      case 'delete': {
        const openedZone = await this.directory.open(actor, id, 'zone.delete')
        const intent = intentOf(actor, { reason, review: 'file' })
        return this.deletion.handle(intent, openedZone, { kind: 'match', tags: [`"${token}"`] })
      }
      case 'owner':
        await this.handOver.assign(intentOf(actor, { reason }), id, order.owner)
        return { kind: 'applied', result: null }
      case 'template': {
        const { templateId, localChanges, link } = order
        const template = await viewZoneTemplate(actor, templateId)
        const intent = intentOf(actor, { reason, planHash: token, review: 'file' })
        const options = { localChanges, link }
        const [outcome] = await this.templates.sync(intent, template, [id], options)
        if ('refusal' in outcome) throw outcome.refusal
        return 'filed' in outcome ? outcome.filed : { kind: 'applied', result: null }
      }
    }
  }
}

/** The result of a failed zone. Rethrows errors that are no `Refusal`. */
function failure(error: unknown): Pick<BulkResult, 'outcome' | 'says' | 'reason'> {
  const hasMoved = error instanceof PreconditionFailed || error instanceof StalePlan
  return hasMoved
    ? { outcome: 'failed', says: { key: 'bulk.moved' }, reason: null }
    : { outcome: 'failed', says: null, reason: reasonOf(error) }
}
