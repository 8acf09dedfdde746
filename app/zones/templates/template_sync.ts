import { inject } from '@adonisjs/core'
import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import { record } from '#audit/record'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { isReplica } from '#backends/contract/zone_kinds'
import { ActionErrors, throwItemErrors } from '#changes/model/action_error'
import type { RecordAction } from '#changes/model/change_set'
import type { Intent } from '#changes/model/intent'
import { finishWrite } from '#changes/idempotency/finish_write'
import type { Filed } from '#changes/model/outcome'
import { submitChangeSet } from '#changes/submit'
import {
  linkedRecords,
  linkEvent,
  removeTemplateLink,
  findTemplateLink,
} from '#changes/transaction/template_links'
import type { ChangePlan, AppliedZone } from '#changes/model/zone_plan'
import { findZoneRow } from '#changes/zone_index/zone_rows'
import { inTransaction } from '#database/transaction'
import { linkedAfter, type LocalChanges, type TemplateDifference } from '#dns/templates/drift'
import { InvalidDns } from '#dns/errors'
import { conflict, Refusal } from '#exceptions/refusal'
import { ZoneDirectory } from '#zones/directory'
import { linkedZones } from '#zones/templates/linked_zones'
import { originOf } from '#zones/templates/origin'
import { driftOf, linkOf, type ZoneDrift } from '#zones/templates/zone_drift'
import type { ZoneTemplateDetail } from '#zones/templates/zone_templates'
import { retryIfChanged } from '#zones/history/retry_if_changed'

/** Options of a sync. */
export interface SyncOptions {
  /** Treatment of local changes to records from the template. */
  localChanges: LocalChanges
  /** Whether to link zones without a link, or with a link to another template. */
  link: boolean
}

/** Differences of a linked zone, or the reason why they cannot be computed. */
export type DriftReport =
  | { zone: BackendZone; differences: TemplateDifference[]; syncedAt: string }
  | { zone: BackendZone; refusal: Refusal | InvalidDns; syncedAt: string }

/** Result for one zone. */
export type SyncOutcome = { zoneId: number } & (
  | { zone: BackendZone; localDifferences: TemplateDifference[]; applied: AppliedZone | null }
  | { zone: BackendZone; localDifferences: TemplateDifference[]; plan: ChangePlan }
  | { filed: Filed }
  | { refusal: Refusal | InvalidDns }
)

/** Zones and their templates. */
@inject()
export class TemplateSync {
  readonly #backend: DnsBackend

  constructor(
    manager: BackendManager,
    private readonly directory: ZoneDirectory
  ) {
    this.#backend = manager.use()
  }

  /**
   * Returns the differences between a page of visible linked zones and their template. Reads only.
   */
  async report(
    actor: Actor,
    template: ZoneTemplateDetail,
    page: { offset: number; size: number }
  ): Promise<{ reports: DriftReport[]; total: number }> {
    const { ids, total } = await linkedZones(actor, template.id, page)
    const reports: DriftReport[] = []
    for (const id of ids) {
      const zone = await this.#backend.findZone(id)
      const link = zone && (await linkOf(zone))
      if (zone && link?.templateId === template.id) {
        const { syncedAt } = link
        reports.push({ zone, syncedAt, ...(await this.#compare(zone, template)) })
      }
    }
    return { reports, total }
  }

  /**
   * Syncs zones, one change set per zone; a refused zone does not stop the others. Records that
   * users wrote stay. A dry run returns a plan per zone. Stops after the first zone that is filed
   * for review.
   */
  async sync(
    intent: Intent,
    template: ZoneTemplateDetail,
    zoneIds: number[],
    options: SyncOptions
  ): Promise<SyncOutcome[]> {
    const outcomes: SyncOutcome[] = []
    for (const zoneId of new Set(zoneIds)) {
      try {
        // Synced zones do not change again, so a client can repeat the request until all are done.
        const zoneIntent = { ...intent, repeatId: null }
        const outcome = await retryIfChanged(() =>
          this.#syncZone(zoneIntent, template, zoneId, options)
        )
        outcomes.push(outcome)
        if ('filed' in outcome) return outcomes
      } catch (error) {
        if (!(error instanceof Refusal || error instanceof InvalidDns)) throw error
        outcomes.push({ zoneId, refusal: error })
      }
    }
    if (!intent.dryRun) {
      await inTransaction(db.connection(), (trx) => finishWrite(trx, intent))
    }
    return outcomes
  }

  /**
   * Unlinks zones in one transaction; records stay. Throws a `Refusal` with the errors of all zones if the
   * actor may not unlink a zone, and for a zone that is not linked to this template.
   */
  async unlink(intent: Intent, template: ZoneTemplateDetail, zoneIds: number[]): Promise<void> {
    const { actor } = intent
    const parting: { zone: BackendZone; uid: string }[] = []
    const errors = new ActionErrors()
    // A zone that is listed twice is unlinked once.
    const indexes = new Map(zoneIds.map((zoneId, index) => [zoneId, index] as const).reverse())
    for (const [zoneId, index] of [...indexes].reverse()) {
      if (errors.isFull) break
      try {
        parting.push(await this.#requireLinked(actor, template, zoneId))
      } catch (error) {
        errors.add(index, error)
      }
    }
    throwItemErrors(errors, 'zones')
    await inTransaction(db.connection(), async (trx) => {
      for (const { zone, uid } of parting) {
        await removeTemplateLink(trx, uid)
        await record(trx, actor, linkEvent('zone.template_unlinked', zone, template.id))
      }
      await finishWrite(trx, intent)
    })
  }

  /** The zone and its uid. Throws a `Refusal` if the actor may not unlink it, or if it is not linked to the template. */
  async #requireLinked(actor: Actor, template: ZoneTemplateDetail, zoneId: number) {
    const { zone, facts } = await this.directory.openVisible(actor, zoneId)
    demand(actor, { action: 'zone.link_template', zone: facts })
    const row = await findZoneRow(zone)
    const link = row && (await findTemplateLink(db.connection(), row.uid))
    if (!row || link?.templateId !== template.id) throw notLinked(zone)
    return { zone, uid: row.uid }
  }

  async #compare(zone: BackendZone, template: ZoneTemplateDetail) {
    try {
      const { differences } = await driftOf(this.#backend, zone, template)
      return { differences }
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof InvalidDns)) throw error
      return { refusal: error }
    }
  }

  async #syncZone(
    intent: Intent,
    template: ZoneTemplateDetail,
    zoneId: number,
    { localChanges, link: mayLink }: SyncOptions
  ): Promise<SyncOutcome> {
    const { zone, facts } = await this.directory.openVisible(intent.actor, zoneId)
    demand(intent.actor, { action: 'zone.link_template', zone: facts })
    if (isReplica(zone)) {
      throw conflict(
        `Zone '${zone.name}' gets its records from its primary and cannot use a template`
      )
    }
    const drift = await driftOf(this.#backend, zone, template)
    const { link, linkedAt, input, differences } = drift
    const isLinked = link?.templateId === template.id
    if (!isLinked && !mayLink) {
      throw notLinked(zone)
    }
    const actions = actionsOf(drift, localChanges)
    const left = differences.filter(({ after, zone: now }) => after[localChanges] === now)
    const fromTemplate = linkedRecords(zone.name, linkedAfter(input, localChanges))
    const isLinkCurrent =
      isLinked && JSON.stringify(fromTemplate) === JSON.stringify(link.templateRecords)
    if (actions.length === 0 && isLinkCurrent && !intent.dryRun) {
      return { zoneId, zone, localDifferences: left, applied: null }
    }
    const outcome = await submitChangeSet(this.#backend, {
      intent,
      origin: originOf(template.id),
      zones: [
        {
          op: 'edit',
          zoneId,
          actions,
          continuesSerial: true,
          checksChangedOnly: true,
          template: {
            templateId: template.id,
            linkedAt,
            templateRecords: fromTemplate,
            from: link,
          },
        },
      ],
    })
    switch (outcome.kind) {
      case 'applied':
        return { zoneId, zone, localDifferences: left, applied: outcome.result[0] }
      case 'planned':
        return { zoneId, zone, localDifferences: left, plan: outcome.plan }
      case 'filed':
        return { zoneId, filed: outcome }
    }
  }
}

/**
 * Returns actions from the current to the wanted RRsets, with the current ones as preconditions.
 */
function actionsOf({ differences }: ZoneDrift, mode: LocalChanges): RecordAction[] {
  return differences.flatMap(({ name, type, zone: from, after }): RecordAction[] => {
    const setAfterSync = after[mode]
    if (setAfterSync === from) {
      return []
    }
    const key = { name: `${name}.`, type, from }
    return setAfterSync
      ? [{ op: 'set', ...key, ttl: setAfterSync.ttl, records: setAfterSync.records }]
      : [{ op: 'clear', ...key }]
  })
}

function notLinked({ name }: BackendZone): Refusal {
  return conflict(
    `Zone '${name}' was not created from this template; a sync with 'link' links and synchronises it`
  )
}
