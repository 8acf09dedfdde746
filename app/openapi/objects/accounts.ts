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

/** Time in the time zone of the server, for clients that expect this form. */
const localTimestamp = text('2026-03-01 09:00:00', 'In the time zone of the server.')

const userMembers = {
  user_id: wholeNumberSchema(9),
  username: text('ann'),
  fullname: text('Ann B'),
  email: text('ann@example.org'),
  description: text(''),
  active: flag(true),
  locked: flag(false),
  use_ldap: flag(false),
  perm_templ: wholeNumberSchema(3),
  perm_templ_name: orNull(text('Editor')),
}

const groupReference = object({ id: wholeNumberSchema(2), name: text('Shop') })

const groupMembers = {
  id: wholeNumberSchema(2),
  name: text('Shop'),
  description: text(''),
  perm_templ_id: wholeNumberSchema(6),
  created_at: localTimestamp,
}

const templateMembers = {
  id: wholeNumberSchema(3),
  name: text('Editor'),
  descr: text('May edit records'),
  description: text('May edit records', 'Same value as `descr`.'),
  template_type: word(['user', 'group']),
}

/** Schemas of users, groups, permissions, API keys and the audit log. */
export const ACCOUNT_OBJECTS = {
  UserItem: object({
    ...userMembers,
    zone_count: wholeNumberSchema(4),
    is_admin: flag(false),
    groups: list(groupReference),
  }),

  User: object({
    ...userMembers,
    is_admin: flag(false),
    permissions: list(text('zone_content_view_own')),
    groups: list(groupReference),
    created_at: nullSchema(),
    updated_at: nullSchema(),
  }),

  GroupItem: object({
    ...groupMembers,
    member_count: wholeNumberSchema(2),
    zone_count: wholeNumberSchema(1),
  }),

  Group: object({
    ...groupMembers,
    member_count: wholeNumberSchema(2),
    zone_count: wholeNumberSchema(1),
    members: list(object({ user_id: wholeNumberSchema(9), username: text('ann') })),
    zones: list(object({ zone_id: wholeNumberSchema(41), zone_name: text('alpha.example') })),
  }),

  ChangedGroup: object({ ...groupMembers, updated_at: localTimestamp }),

  Member: object({
    user_id: wholeNumberSchema(9),
    username: text('ann'),
    fullname: text('Ann B'),
    email: orNull(text('ann@example.org')),
    joined_at: localTimestamp,
  }),

  GroupZone: object({
    zone_id: wholeNumberSchema(41),
    zone_name: text('alpha.example'),
    zone_type: text('MASTER'),
    created_at: localTimestamp,
  }),

  PermissionTemplateItem: object(templateMembers),

  PermissionTemplate: object({ ...templateMembers, permissions: list(named('Permission')) }),

  Permission: object({
    id: wholeNumberSchema(43),
    name: text('zone_content_view_own'),
    descr: text('See own zones'),
    description: text('See own zones', 'Same value as `descr`.'),
  }),

  ApiKey: object({
    id: wholeNumberSchema(3),
    name: text('deploy'),
    prefix: text('pwa_x7Kq', 'First characters of the key, by which users identify it.'),
    owner: object({ id: wholeNumberSchema(1), username: text('admin') }),
    enabled: flag(true),
    read_only: flag(false),
    operations: list(word(['view', 'create', 'update', 'delete']), 'Empty: all operations.'),
    zones: list(
      object({ id: wholeNumberSchema(41), name: text('alpha.example') }),
      'Only zones that the caller may see.'
    ),
    zone_restricted: flag(true),
    patterns: list(object({ name: text('*.alpha.example'), types: list(text('TXT')) })),
    pattern_restricted: flag(true),
    networks: list(text('192.0.2.0/24')),
    expires_at: orNull(timestamp()),
    idle_days: orNull(wholeNumberSchema(90)),
    last_used_at: orNull(timestamp()),
    last_used_from: orNull(text('192.0.2.1', 'Client address of the last use.')),
    created_at: timestamp(),
    purpose: orNull(text('dyndns', '`dyndns` for a host token, `null` for all other keys.')),
  }),

  Reason: object({
    rule: text('permission'),
    message: text('zone_content_edit_own is held'),
    source: text("zone_content_edit_own from template 'Editor'"),
  }),

  EventActor: object({
    user_id: orNull(wholeNumberSchema(1)),
    username: orNull(text('admin')),
    api_key_id: orNull(wholeNumberSchema(3)),
    address: orNull(text('192.0.2.1')),
    channel: text('api', 'Channel of the request: api, web, dyndns, cli, job or external.'),
  }),

  AuditEntry: object({
    id: wholeNumberSchema(812),
    time: timestamp(),
    actor: named('EventActor'),
    action: text('zone.changed'),
    object: orNull(
      object({
        kind: word(['user', 'key', 'group', 'template', 'zone', 'zone_template', 'job', 'webhook']),
        id: orNull(wholeNumberSchema(41)),
        name: orNull(text('alpha.example')),
      })
    ),
    outcome: word(['success', 'denied', 'failed']),
    detail: { examples: [{ entry: 17 }] },
    position: orNull(wholeNumberSchema(812)),
    hash: orNull(text('9f86d081884c7d65')),
  }),

  AutoprimaryItem: object({
    id: text('192.0.2.53/ns1.example.net', 'Path of the autoprimary below `/autoprimaries`.'),
    ip: text('192.0.2.53'),
    nameserver: text('ns1.example.net'),
    account: text('ops'),
  }),

  Autoprimary: object({
    ip: text('192.0.2.53'),
    nameserver: text('ns1.example.net'),
    account: text('ops'),
  }),

  AddedOwners: object({
    added: list(wholeNumberSchema(9)),
    skipped: list(wholeNumberSchema(1)),
    not_found: list(wholeNumberSchema(99)),
  }),

  UserReference: object({
    id: orNull(wholeNumberSchema(9)),
    username: oneOfSchemas(text('ann'), nullSchema()),
  }),
} satisfies Record<string, JsonSchema>
