import {
  oneOfSchemas,
  flag,
  list,
  timestamp,
  named,
  nullSchema,
  object,
  orNull,
  text,
  wholeNumberSchema,
  word,
  type JsonSchema,
} from '#openapi/schema'

const KIND = word(
  ['MASTER', 'SLAVE', 'NATIVE', 'PRODUCER', 'CONSUMER'],
  'Type of the zone, as PowerDNS names it.'
)
const MASTERS = orNull(
  text('192.0.2.5,[2001:db8::5]:5300', 'Primaries of a secondary or consumer zone.')
)
const NAME = text('alpha.example')
const OPERATION = word(['create', 'update', 'delete'])

const record = {
  content: text('192.0.2.10'),
  priority: wholeNumberSchema(0),
  disabled: flag(false),
}

const comment = text('Moves in May.', 'Present only with `include=comments`.')

/** The RRset before and after a change. */
const state = object({
  ttl: wholeNumberSchema(300, 'Seconds.'),
  records: list(
    object(record, {
      comment: text('for the shop', 'Present if the comment of the record changes.'),
    })
  ),
})

const properties = {
  name: NAME,
  kind: KIND,
  masters: list(text('192.0.2.5')),
  account: orNull(text('ops')),
  description: orNull(text('Shop')),
}

const metadata: JsonSchema = {
  type: 'object',
  additionalProperties: list(text('192.0.2.0/24')),
  examples: [{ 'ALLOW-AXFR-FROM': ['192.0.2.0/24'] }],
}

const serials = {
  serial_before: orNull(wholeNumberSchema(2026030101, '`null` if there is no SOA record.')),
  serial_after: orNull(wholeNumberSchema(2026030102)),
}

const zoneMembers = {
  id: wholeNumberSchema(41),
  canonical_id: wholeNumberSchema(41, 'Same value as `id`.'),
  name: NAME,
  type: KIND,
}

/** Zones, records and changes. */
export const ZONE_OBJECTS = {
  ZoneItem: object({ ...zoneMembers, created_at: nullSchema() }),

  Zone: object({
    ...zoneMembers,
    master: MASTERS,
    masters: MASTERS,
    account: orNull(text('ops')),
    description: orNull(text('Shop')),
    created_at: nullSchema(),
  }),

  RecordId: oneOfSchemas(
    wholeNumberSchema(901),
    text(
      'cmVjb3JkOjkwMQ',
      'Only with backends of plugins. The id is opaque, and stable while the record exists.'
    )
  ),

  RecordItem: object(
    {
      id: named('RecordId'),
      name: text('www.alpha.example', 'Absolute, without a final dot.'),
      type: text('A'),
      content: record.content,
      ttl: wholeNumberSchema(300, 'Seconds.'),
      priority: wholeNumberSchema(0),
      disabled: flag(false),
      auth: flag(true, '`false` for delegations and glue.'),
    },
    { comment }
  ),

  RRsetItem: object({
    name: text('www.alpha.example', 'Absolute, without a final dot.'),
    type: text('A'),
    ttl: wholeNumberSchema(300, 'Seconds.'),
    records: list(object(record, { comment })),
  }),

  RRset: object({
    name: text('www', 'Relative to the zone, `@` for the apex.'),
    type: text('A'),
    ttl: wholeNumberSchema(300, 'Seconds.'),
    records: list(object(record, { comment })),
  }),

  Warning: object({
    rule: text('mx-target-alias', 'Rule in docs/reference/rules.md.'),
    name: text('alpha.example'),
    type: text('MX'),
    message: text("MX target 'mail.alpha.example' is an alias"),
  }),

  RRsetChange: object(
    {
      name: text('www.alpha.example'),
      type: text('A'),
      operations: list(OPERATION),
    },
    {
      before: orNull(state),
      after: orNull(state),
    }
  ),

  PlannedZone: object(
    {
      zone_id: orNull(wholeNumberSchema(41, '`null` for a zone that does not exist yet.')),
      zone_name: NAME,
      ...serials,
      review: word(['direct', 'request', 'refused'], 'How the change would be handled.'),
      changes: list(named('RRsetChange')),
      warnings: list(named('Warning')),
    },
    {
      properties: object({
        before: orNull({ type: 'object', examples: [{ description: null }] }),
        after: orNull({ type: 'object', examples: [{ description: 'Shop' }] }),
      }),
      reason: text(
        'The change needs review',
        'Reason why the change would be refused, or would need approval.'
      ),
    }
  ),

  RRsetName: object({ name: text('www.alpha.example'), type: text('A') }),

  Plan: object({
    plan_hash: text('sha256:5f1d…'),
    zones: list(named('PlannedZone')),
  }),

  Change: object({
    zones: list(
      object({
        zone_id: wholeNumberSchema(41),
        zone_name: NAME,
        entry: orNull(
          wholeNumberSchema(17, 'Number of the history entry. `null` if nothing changed.')
        ),
        ...serials,
        changes: list(named('RRsetChange')),
        warnings: list(named('Warning')),
      })
    ),
  }),

  Entry: object(
    {
      entry: wholeNumberSchema(17),
      zone_id: wholeNumberSchema(41),
      zone_name: NAME,
      time: timestamp(),
      actor: object({
        user_id: orNull(wholeNumberSchema(1)),
        username: orNull(text('admin')),
        api_key_id: orNull(wholeNumberSchema(3)),
        address: orNull(text('192.0.2.1')),
      }),
      channel: word(['api', 'web', 'dyndns', 'cli', 'job', 'external']),
      reason: orNull(text('ticket 12')),
      ...serials,
      origin: object({
        kind: orNull(word(['undo', 'restore', 'request', 'template', 'import', 'bulk', 'clone'])),
        id: oneOfSchemas(wholeNumberSchema(16), text('api'), nullSchema()),
      }),
    },
    {
      properties: object({
        before: orNull(named('Properties')),
        after: orNull(named('Properties')),
      }),
      changes: list(named('RRsetChange')),
    }
  ),

  /** Properties that a step changed. */
  Properties: object({}, { ...properties, metadata }),

  ZoneThen: object({
    id: wholeNumberSchema(41),
    name: NAME,
    type: KIND,
    masters: MASTERS,
    account: orNull(text('ops')),
    description: orNull(text('Shop')),
    entry: wholeNumberSchema(17),
    time: orNull(timestamp()),
    serial: orNull(wholeNumberSchema(2026030102)),
  }),

  TrashedZone: object({
    id: wholeNumberSchema(5),
    zone_id: wholeNumberSchema(41),
    zone_name: NAME,
    deleted_at: timestamp(),
    deleted_by: object({ user_id: orNull(wholeNumberSchema(1)), username: orNull(text('admin')) }),
  }),

  Metadata: object({ kind: text('ALLOW-AXFR-FROM'), values: list(text('192.0.2.0/24')) }),

  ZoneOwner: object({
    user_id: wholeNumberSchema(9),
    username: text('ann'),
    fullname: text('Ann B'),
  }),

  SigningStatus: object({
    enabled: flag(true),
    presigned: flag(false),
    ds_records: list(
      object({
        key_tag: wholeNumberSchema(31337),
        algorithm: wholeNumberSchema(13),
        digest_type: wholeNumberSchema(2),
        digest: text('a1b2c3d4'),
      })
    ),
    dnskey: orNull(text('257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+')),
  }),

  SigningKey: object({
    id: wholeNumberSchema(1),
    type: word(['ksk', 'zsk', 'csk']),
    keytag: wholeNumberSchema(31337),
    algorithm: text('ecdsa256'),
    algorithm_id: wholeNumberSchema(13),
    bits: wholeNumberSchema(256),
    active: flag(true),
    sep: flag(true, 'Secure entry point (RFC 4034).'),
    dnskey: text('257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+'),
    ds: list(text('31337 13 2 a1b2c3d4')),
  }),

  SearchResult: object({
    kind: word(['zone', 'record', 'comment']),
    zone_id: wholeNumberSchema(41),
    zone_name: NAME,
    record_id: orNull(named('RecordId')),
    name: text('www.alpha.example'),
    type: orNull(text('A')),
    content: orNull(text('192.0.2.10')),
    score: { type: 'number', examples: [80] },
  }),
} satisfies Record<string, JsonSchema>
