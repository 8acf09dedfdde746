import { inject } from '@adonisjs/core'
import { authorize } from '#access/authorize'
import { requireView } from '#access/demand'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { Intent } from '#changes/model/intent'
import { templateOfZone, type Templated } from '#dns/templates/templating'
import { invalid } from '#exceptions/refusal'
import type { OpenZone } from '#zones/directory'
import { valuesAt } from '#zones/templates/expansion'
import { MOST_RECORDS } from '#zones/templates/template_records'
import { createZoneTemplate, type ZoneTemplateInput } from '#zones/templates/template_writes'

/** A template that was made of a zone. */
export interface SavedTemplate {
  id: number
  /** How many records it has. */
  records: number
  leftOut: Templated['leftOut']
}

/** Makes templates of zones that are there. */
@inject()
export class SaveZoneAsTemplate {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * Saves what a zone holds as a new template. The zone stays as it is, and is linked to nothing by this. Throws as
   * `createZoneTemplate`, a 403 `Refusal` where the user or the API key may not view the zone, and a 400 for a zone of more records than a template holds.
   */
  async save(
    intent: Intent,
    { zone, facts }: OpenZone,
    input: ZoneTemplateInput
  ): Promise<SavedTemplate> {
    // What a zone holds can be read of its template.
    requireView(intent.actor, facts)
    const rrsets = await this.#backend.allRRsets(zone)
    const { records, leftOut } = templateOfZone(rrsets, valuesAt(zone.name, new Date()))
    const own = { ownerId: intent.actor.userId, isGlobal: false }
    const isWritable = (type: string) =>
      authorize(intent.actor, { action: 'zone_template.apply', template: own, types: [type] })
        .allowed
    const kept = records.filter(({ type }) => isWritable(type))
    if (kept.length > MOST_RECORDS) {
      throw invalid(
        `A zone template holds at most ${MOST_RECORDS} records, and this zone has ${kept.length}`
      )
    }
    const refused = records
      .filter(({ type }) => !isWritable(type))
      .map(({ name, type }) => ({ name, type, reason: 'it is for administrators' }))
    const { id } = await createZoneTemplate(intent, input, kept)
    return { id, records: kept.length, leftOut: [...leftOut, ...refused] }
  }
}
