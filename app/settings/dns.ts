import { defineSettings, setting } from '#settings/define'

const POLICIES = ['DEFAULT', 'INCREASE', 'EPOCH', 'SOA-EDIT', 'SOA-EDIT-INCREASE', 'OFF'] as const
const TTL = { min: 0, max: 2_147_483_647, unit: 'seconds' }
const HOST = { pattern: /^(?=.{1,254}$)[\w-]{1,63}(\.[\w-]{1,63})*\.?$/, says: 'a domain name' }

const OPTIONAL_HOST = {
  pattern: /^$|^(?=.{1,254}$)[\w-]{1,63}(\.[\w-]{1,63})*\.?$/,
  says: "a domain name or ''",
}

/** Placeholder defaults of `dns.ns1` and `dns.ns2`. Zones get no NS records of these names. */
export const EXAMPLE_NAME_SERVERS = ['ns1.example.com', 'ns2.example.com']

/** The section `dns`. `config/dns.ts` exports these values with the backends. */
export default defineSettings('dns', {
  backend: setting.string(
    'sql',
    {
      pattern: /^[a-z][a-z0-9_-]{0,31}$/,
      says: 'sql, api, or a backend from plugins.providers',
    },
    'Backend of zones and records. sql: the PowerDNS tables in the database. api: only the HTTP API of a server (pdns_api.url, pdns_api.key). Other values come from plugins.providers (docs/reference/plugins.md).'
  ),
  pdns_version: setting.string(
    '4.7',
    { pattern: /^\d{1,2}\.\d{1,2}$/, says: 'a version such as 4.7 or 5.1' },
    'Oldest PowerDNS version that serves the zones. Record types of newer versions are refused: with one such record, an older server cannot answer for its name, and zone transfers fail.'
  ),
  ttl: setting.integer(86_400, TTL, 'Default TTL of new records.'),
  ttl_reverse: setting.integer(
    null,
    { ...TTL, nullable: true },
    'Default TTL of new PTR records in reverse zones; null uses dns.ttl.'
  ),
  hostmaster: setting.string(
    'hostmaster.example.com',
    {
      pattern: /^(?=.{1,254}$)([\w-]|\\\.){1,63}(\.[\w-]{1,63})*\.?$/,
      says: 'a mailbox in the form of a domain name, with a backslash before dots of the user part',
    },
    'Mailbox of the responsible person in the SOA record of new zones.'
  ),
  ns1: setting.string(
    EXAMPLE_NAME_SERVERS[0],
    HOST,
    'Primary name server in the SOA record of a new zone, and value of [NS1] in zone templates.'
  ),
  ns2: setting.string(
    EXAMPLE_NAME_SERVERS[1],
    OPTIONAL_HOST,
    "Value of [NS2] in zone templates; '' for none."
  ),
  ns3: setting.string('', OPTIONAL_HOST, "Value of [NS3] in zone templates; '' for none."),
  ns4: setting.string('', OPTIONAL_HOST, "Value of [NS4] in zone templates; '' for none."),
  default_ns: setting.stringList(
    [],
    { isItem: (text) => HOST.pattern.test(text), says: HOST.says },
    'Name servers in the NS records of new zones without a template. Empty: the hosts of dns.ns1 to dns.ns4, except their example defaults.'
  ),
  soa_refresh: setting.integer(28_800, TTL, 'SOA refresh of new zones.'),
  soa_retry: setting.integer(7200, TTL, 'SOA retry of new zones.'),
  soa_expire: setting.integer(604_800, TTL, 'SOA expire of new zones.'),
  soa_minimum: setting.integer(86_400, TTL, 'SOA minimum (negative caching TTL) of new zones.'),
  soa_edit_api: setting.choice(
    '',
    { choices: ['', ...POLICIES] },
    "Default serial policy (metadata SOA-EDIT-API) of new zones. '' and OFF store no policy."
  ),
  soa_edit_api_options: setting.stringList(
    null,
    { choices: POLICIES, nullable: true },
    'Serial policies allowed for new zones; null allows all, an empty list none.'
  ),
  zone_ownership_mode: setting.choice(
    'both',
    { choices: ['both', 'users_only', 'groups_only'] },
    'Possible owners of zones: users, groups or both.'
  ),
  parent_zone_ownership_check: setting.boolean(
    true,
    'Refuses a new zone if a zone above or below it has another owner. Does not apply to administrators.'
  ),
})
