import {
  flag,
  list,
  timestamp,
  object,
  orNull,
  text,
  wholeNumberSchema,
  type JsonSchema,
} from '#openapi/schema'

/** Objects of dynamic DNS. */
export const DYNDNS_OBJECTS: Record<string, JsonSchema> = {
  DynamicUpdate: object({
    hostname: text('home.alpha.example'),
    zone_id: wholeNumberSchema(41),
    applied_ipv4: list(text('192.0.2.50')),
    applied_ipv6: list(text('2001:db8::50')),
    changed: flag(true),
  }),

  HostToken: object({
    id: wholeNumberSchema(7),
    name: text('router'),
    prefix: text('dyk4x2mqp7ab', 'First characters of the token, by which users identify it.'),
    owner: object({ id: wholeNumberSchema(1), username: text('admin') }),
    enabled: flag(true),
    hostnames: list(text('home.alpha.example'), 'Only hosts that the caller may see.'),
    txt: flag(false),
    networks: list(text('192.0.2.0/24')),
    expires_at: orNull(timestamp()),
    last_used_at: orNull(timestamp()),
    created_at: timestamp(),
  }),

  DyndnsRecipe: object({
    client: text('ddclient'),
    title: text('ddclient'),
    where: text('/etc/ddclient.conf'),
    text: text('protocol=dyndns2'),
  }),

  DyndnsClient: object({
    id: wholeNumberSchema(12),
    hostname: text('home.alpha.example'),
    zone: object({ id: wholeNumberSchema(41), name: text('alpha.example') }),
    ipv4: list(text('192.0.2.50')),
    ipv6: list(text('2001:db8::50')),
    last_code: text('nochg'),
    first_seen_at: timestamp(),
    last_seen_at: timestamp(),
    last_change_at: orNull(timestamp()),
    requests: wholeNumberSchema(120),
    changes: wholeNumberSchema(3),
    recent_changes: list(timestamp()),
    flapping: flag(false, 'Whether the addresses change repeatedly.'),
    client_address: orNull(text('203.0.113.9')),
    user_agent: orNull(text('ddclient/3.10.0')),
    channel: orNull(text('dyndns')),
    username: orNull(text('carol')),
    api_key_id: orNull(wholeNumberSchema(7)),
    refused: orNull(
      object({
        at: timestamp(),
        address: orNull(text('198.51.100.7')),
        user_agent: orNull(text('Fritz!Box DDNS/1.0.1')),
      })
    ),
  }),
}
