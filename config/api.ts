import { defineSettings, setting } from '#settings/define'

export default defineSettings('api', {
  enabled: setting.boolean(
    false,
    'Whether the JSON API under /api/v2 serves requests. The health endpoints do not depend on it.'
  ),
  basic_auth_enabled: setting.boolean(
    false,
    'Whether the API accepts user name and password by HTTP Basic, beside API keys. The password travels with each request: behind HTTPS only.'
  ),
  basic_auth_realm: setting.string(
    'Zonewright API',
    {
      pattern: /^[\x20\x21\x23-\x5b\x5d-\x7e]{1,100}$/,
      says: "1 to 100 printable ASCII characters without '\"' and '\\'",
    },
    'The realm that a 401 names where HTTP Basic is on; clients show it when they ask for a password.'
  ),
  docs_enabled: setting.boolean(
    false,
    'Whether /api/docs describes the API and lets people try it, without a key; for staging. It does not depend on `api.enabled`.'
  ),
  max_body_bytes: setting.integer(
    10_485_760,
    { min: 1024, max: 1_073_741_824, unit: 'bytes' },
    'The largest request body that the API reads; a larger one is refused.'
  ),
  max_body_depth: setting.integer(
    32,
    { min: 1, max: 1000, unit: 'levels' },
    'How deeply objects and lists may be nested in a JSON request body.'
  ),
  max_body_values: setting.integer(
    200_000,
    { min: 1000, max: 10_000_000, unit: 'values' },
    'How many values, lists and objects a JSON request body may have together. A body is parsed at once while other requests wait.'
  ),
  max_stored_answer_bytes: setting.integer(
    1_048_576,
    { min: 1024, max: 16_777_216, unit: 'bytes' },
    'The largest answer to a write with an Idempotency-Key that is stored for repeats. A repeat of a change with a larger answer is refused with a 409 and does not make the change again.'
  ),
  max_stored_answers_bytes: setting.integer(
    33_554_432,
    { min: 1024, max: 1_073_741_824, unit: 'bytes' },
    'How much the answers that are stored for repeats may take up for each caller (user and API key) within 24 hours. Further answers are not stored until old ones expire; answers of up to 4 KiB always are.'
  ),
  max_whole_lists: setting.integer(
    32,
    { min: 1, max: 10_000, unit: 'lists' },
    'How many whole lists (those without `page`, `per_page` or `cursor`) one process sends at once; each takes some megabytes. Others wait for their turn, for 20 seconds at most, and get a 429 then.'
  ),
  max_heavy_requests: setting.integer(
    4,
    { min: 1, max: 1000, unit: 'requests' },
    'How many requests of one user that may cost much (imports, exports, plans, undo, restore, differences, bulk and template work) one process runs at once. More of the same user wait for their turn, for 20 seconds at most, and get a 429 then; others do not wait for them.'
  ),
  max_keys_per_user: setting.integer(
    5,
    { min: 0, max: 10_000, unit: 'keys' },
    'How many API keys a user may hold. Administrators have no limit.'
  ),
})
