import { defineSettings, setting } from '#settings/define'

const COUNT = { min: 0, max: 1_000_000, unit: 'changes' }

export default defineSettings('dyndns', {
  enabled: setting.boolean(
    true,
    'Enables the dynamic DNS endpoint: /nic/update, /dynamic_update.php and /dynamic_update. POST /api/v2/dynamic-dns does not depend on it.'
  ),
  query_credentials: setting.boolean(
    true,
    'Accepts user name, password and tokens in the URL of an update. Proxies log URLs: disable it if all clients use HTTP Basic.'
  ),
  status_codes: setting.choice(
    'compat',
    { choices: ['compat', 'strict'] },
    'HTTP status of answers of the dynamic DNS endpoint. compat: 200 for every code. strict: 401 for badauth, 503 for abuse and 911, for clients that do not read the body. Clients can choose with the parameter status.'
  ),
  ttl: setting.integer(
    60,
    { min: 0, max: 2_147_483_647, unit: 'seconds' },
    'TTL of address records from dynamic updates.'
  ),
  max_hosts: setting.integer(
    20,
    { min: 1, max: 100, unit: 'hosts' },
    'Maximum number of host names in one update. Updates with more names are answered with numhost.'
  ),
  changes_per_host: setting.integer(
    60,
    COUNT,
    'Maximum number of address changes of a host within the limit window. Further changes are answered with abuse. Updates without a change do not count. 0 for no limit.'
  ),
  changes_per_address: setting.integer(
    600,
    COUNT,
    'Maximum number of changes from one client address (IPv6: its /64) within the limit window. Further changes are answered with abuse. 0 for no limit.'
  ),
  limit_window: setting.integer(
    60,
    { min: 1, max: 1440, unit: 'minutes' },
    'Length of the window in which changes are counted, from the first change.'
  ),
  max_tokens_per_user: setting.integer(
    100,
    { min: 0, max: 10_000, unit: 'tokens' },
    'Maximum number of host tokens of a user, in addition to API keys. Administrators have no limit.'
  ),
  flapping_changes: setting.integer(
    6,
    { min: 2, max: 20, unit: 'changes' },
    'Number of address changes within an hour at which a host is shown as changing often.'
  ),
})
