import {
  flag,
  list,
  timestamp,
  named,
  object,
  orNull,
  text,
  whole,
  word,
  type JsonSchema,
} from '#openapi/schema'

const template = {
  id: whole(2),
  name: text('Web'),
  description: text('Web and mail'),
  owner: whole(1, 'Id of a user. 0 if the template is global, or its owner was deleted.'),
  is_global: flag(false, 'Whether all users can see the template.'),
}

/** An RRset without its name and type. */
const state = orNull(
  object({
    ttl: whole(300, 'Seconds.'),
    records: list(
      object({ content: text('192.0.2.10'), priority: whole(0), disabled: flag(false) })
    ),
  })
)

/** Zone templates, and how zones differ from them. */
export const ZONE_TEMPLATE_OBJECTS: Record<string, JsonSchema> = {
  ZoneTemplateItem: object({
    ...template,
    zones_linked: whole(4, 'Number of linked zones that the caller sees.'),
  }),

  ZoneTemplate: object({ ...template, records: list(named('TemplateRecord')) }),

  TemplateRecord: object({
    id: whole(11),
    name: text('www.[ZONE]'),
    type: text('A'),
    content: text('192.0.2.10', 'Text without its quotes.'),
    ttl: whole(300, 'Seconds.'),
    priority: whole(0),
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
      zone_id: whole(41),
      zone_name: text('alpha.example'),
      synced_at: timestamp(),
      state: word(['in_sync', 'differs', 'changed', 'refused']),
      differences: list(named('TemplateDifference')),
    },
    { message: text('[NS3] has no value here', 'Reason for the refusal.') }
  ),

  SyncedZone: object(
    {
      zone_id: whole(41),
      status: whole(200, 'HTTP status of a request for this zone alone.'),
      message: text('The zone was synchronised with the template'),
    },
    {
      zone_name: text('alpha.example'),
      entry: orNull(whole(17, 'Number of the history entry. `null` if nothing changed.')),
      serial_before: orNull(whole(2026030101)),
      serial_after: orNull(whole(2026030102)),
      changes: list(named('RRsetChange')),
      warnings: list(named('Warning')),
      kept: list(named('TemplateDifference'), 'Differences that remain.'),
      review: word(['direct', 'request', 'refused']),
      reason: text('The change needs review'),
      plan_hash: text('sha256:5f1d…'),
    }
  ),
}
