import {
  flag,
  list,
  timestamp,
  named,
  object,
  orNull,
  text,
  wholeNumberSchema,
  word,
  type JsonSchema,
} from '#openapi/schema'

const template = {
  id: wholeNumberSchema(2),
  name: text('Web'),
  description: text('Web and mail'),
  owner: wholeNumberSchema(
    1,
    'Id of a user. 0 if the template is global, or its owner was deleted.'
  ),
  is_global: flag(false, 'Whether all users can see the template.'),
}

/** An RRset without its name and type. */
const state = orNull(
  object({
    ttl: wholeNumberSchema(300, 'Seconds.'),
    records: list(
      object({ content: text('192.0.2.10'), priority: wholeNumberSchema(0), disabled: flag(false) })
    ),
  })
)

/** Zone templates, and the differences between a zone and its template. */
export const ZONE_TEMPLATE_OBJECTS: Record<string, JsonSchema> = {
  ZoneTemplateItem: object({
    ...template,
    zones_linked: wholeNumberSchema(4, 'Number of linked zones that the caller sees.'),
  }),

  ZoneTemplate: object({ ...template, records: list(named('TemplateRecord')) }),

  TemplateRecord: object({
    id: wholeNumberSchema(11),
    name: text('www.[ZONE]'),
    type: text('A'),
    content: text('192.0.2.10', 'Text without its quotes.'),
    ttl: wholeNumberSchema(300, 'Seconds.'),
    priority: wholeNumberSchema(0),
  }),

  TemplateDifference: object({
    name: text('www.alpha.example'),
    type: text('A'),
    cause: word(
      ['template', 'zone', 'both'],
      'The side that changed after the RRset was created in the zone.'
    ),
    template: state,
    zone: state,
    keep: state,
    overwrite: state,
  }),

  DriftingZone: object(
    {
      zone_id: wholeNumberSchema(41),
      zone_name: text('alpha.example'),
      synced_at: timestamp(),
      state: word(['in_sync', 'differs', 'changed', 'refused']),
      differences: list(named('TemplateDifference')),
    },
    { message: text('[NS3] has no value', 'Reason for the refusal.') }
  ),

  SyncedZone: object(
    {
      zone_id: wholeNumberSchema(41),
      status: wholeNumberSchema(200, 'HTTP status of a request for this zone alone.'),
      message: text('The zone was synchronised with the template'),
    },
    {
      zone_name: text('alpha.example'),
      entry: orNull(
        wholeNumberSchema(17, 'Number of the history entry. `null` if nothing changed.')
      ),
      serial_before: orNull(wholeNumberSchema(2026030101)),
      serial_after: orNull(wholeNumberSchema(2026030102)),
      changes: list(named('RRsetChange')),
      warnings: list(named('Warning')),
      kept: list(named('TemplateDifference'), 'Differences that remain.'),
      review: word(['direct', 'request', 'refused']),
      reason: text('The change needs review'),
      plan_hash: text('sha256:5f1d…'),
    }
  ),
}
