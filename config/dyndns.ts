import { defineSettings, setting } from '#settings/define'

const COUNT = { min: 0, max: 1_000_000, unit: 'changes' }

export default defineSettings('dyndns', {
  enabled: setting.boolean(
    true,
    'Whether the standalone endpoint for dynamic DNS answers: /nic/update, /dynamic_update.php and /dynamic_update. POST /api/v2/dynamic-dns does not depend on it.'
  ),
  query_credentials: setting.boolean(
    true,
    'Whether user name and password, or a token, may stand in the address of an update. Addresses lie in the logs of proxies: switch it off where all clients send HTTP Basic.'
  ),
  status_codes: setting.choice(
    'compat',
    { choices: ['compat', 'strict'] },
    'HTTP status of what the standalone endpoint answers. compat is 200 for every code; strict is 401 for badauth, and 503 for abuse and 911, for clients that do not read the body. A client can ask for either with the parameter status.'
  ),
  ttl: setting.integer(
    60,
    { min: 0, max: 2_147_483_647, unit: 'seconds' },
    'TTL of the address records that dynamic updates write.'
  ),
  max_hosts: setting.integer(
    20,
    { min: 1, max: 100, unit: 'hosts' },
    'How many host names one request may update; more are answered with numhost.'
  ),
  changes_per_host: setting.integer(
    60,
    COUNT,
    'So many times within the limit window the addresses of a host may change at the standalone endpoint; what goes beyond is answered with abuse. Updates that change nothing do not count. 0 is no limit.'
  ),
  changes_per_address: setting.integer(
    600,
    COUNT,
    'So many changes within the limit window may come from one address (of IPv6 its /64); what goes beyond is answered with abuse. 0 is no limit.'
  ),
  limit_window: setting.integer(
    60,
    { min: 1, max: 1440, unit: 'minutes' },
    'The time for which changes are counted together, from the first one.'
  ),
  max_tokens_per_user: setting.integer(
    100,
    { min: 0, max: 10_000, unit: 'tokens' },
    'How many tokens of hosts a user may hold, beside API keys. Administrators have no limit.'
  ),
  flapping_changes: setting.integer(
    6,
    { min: 2, max: 20, unit: 'changes' },
    'A host whose addresses changed so many times within an hour is shown as flapping.'
  ),
})
