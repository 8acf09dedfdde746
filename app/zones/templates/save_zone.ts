import { inject } from '@adonisjs/core'
import { authorize } from '#access/authorize'
import { requireView } from '#access/demand'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { Intent } from '#changes/model/intent'
import { templateOfZone, type TemplatedRecords } from '#dns/templates/templating'
import { invalid } from '#exceptions/refusal'
import type { OpenZone } from '#zones/directory'
import { valuesAt } from '#zones/templates/expansion'
import { MAX_TEMPLATE_RECORDS } from '#dns/templates/template_record'
import { createZoneTemplate, type ZoneTemplateInput } from '#zones/templates/template_writes'

/** A template that was created from a zone. */
export interface SavedTemplate {
  id: number
  /** Number of records. */
  records: number
  leftOut: TemplatedRecords['leftOut']
}

/** Creates templates from zones. */
@inject()
export class SaveZoneAsTemplate {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * Saves the records of a zone as a new template; does not link the zone. Throws as
   * `createZoneTemplate`, a 403 `Refusal` if user or API key may not view the zone, and a 400 if
   * the zone has more records than a template can have.
   */
  async save(
    intent: Intent,
    { zone, facts }: OpenZone,
    input: ZoneTemplateInput
  ): Promise<SavedTemplate> {
    // A reader of the template reads the records of the zone.
    requireView(intent.actor, facts)
    const rrsets = await this.#backend.allRRsets(zone)
    const { records, leftOut } = templateOfZone(rrsets, valuesAt(zone.name, new Date()))
    const ownership = { ownerId: intent.actor.userId, isGlobal: false }
    const isWritable = (type: string) =>
      authorize(intent.actor, { action: 'zone_template.apply', template: ownership, types: [type] })
        .allowed
    const writable = records.filter(({ type }) => isWritable(type))
    if (writable.length > MAX_TEMPLATE_RECORDS) {
      throw invalid(
        `A zone template can have at most ${MAX_TEMPLATE_RECORDS} records, but this zone has ${writable.length}`
      )
    }
    const refused = records
      .filter(({ type }) => !isWritable(type))
      .map(({ name, type }) => ({ name, type, reason: 'only administrators can write it' }))
    const { id } = await createZoneTemplate(intent, input, writable)
    return { id, records: writable.length, leftOut: [...leftOut, ...refused] }
  }
}
