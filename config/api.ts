import { defineSettings, setting } from '#settings/define'

export default defineSettings('api', {
  enabled: setting.boolean(
    false,
    'Enables the JSON API under /api/v2. The health endpoints do not depend on it.'
  ),
  basic_auth_enabled: setting.boolean(
    false,
    'Accepts user name and password by HTTP Basic in addition to API keys. Enable it behind HTTPS only: each request contains the password.'
  ),
  basic_auth_realm: setting.string(
    'Zonewright API',
    {
      pattern: /^[\x20\x21\x23-\x5b\x5d-\x7e]{1,100}$/,
      says: "1 to 100 printable ASCII characters without '\"' and '\\'",
    },
    'Realm of the WWW-Authenticate header for HTTP Basic. Clients show it when they ask for a password.'
  ),
  docs_enabled: setting.boolean(
    false,
    'Enables the API documentation at /api/docs, from which users can send requests. The page is readable without a key: enable it for staging only. Independent of `api.enabled`.'
  ),
  max_body_bytes: setting.integer(
    10_485_760,
    { min: 1024, max: 1_073_741_824, unit: 'bytes' },
    'Maximum size of an API request body. Larger bodies are refused with 413.'
  ),
  max_body_depth: setting.integer(
    32,
    { min: 1, max: 1000, unit: 'levels' },
    'Maximum nesting of objects and lists in a JSON request body.'
  ),
  max_body_values: setting.integer(
    200_000,
    { min: 1000, max: 10_000_000, unit: 'values' },
    'Maximum number of values, lists and objects in a JSON request body. Other requests wait while a body is parsed.'
  ),
  max_stored_answer_bytes: setting.integer(
    1_048_576,
    { min: 1024, max: 16_777_216, unit: 'bytes' },
    'Maximum size of an answer that is stored for its Idempotency-Key. A repeated request with a larger answer gets a 409 and changes nothing.'
  ),
  max_stored_answers_bytes: setting.integer(
    33_554_432,
    { min: 1024, max: 1_073_741_824, unit: 'bytes' },
    'Maximum size of all stored answers of a caller (user and API key) within 24 hours. Further answers are not stored until old ones expire, except answers of up to 4 KiB.'
  ),
  max_whole_lists: setting.integer(
    32,
    { min: 1, max: 10_000, unit: 'lists' },
    'Maximum number of whole lists (without `page`, `per_page` or `cursor`) that one process sends at once. Each needs a few megabytes. Further requests wait up to 20 seconds, then get a 429.'
  ),
  max_heavy_requests: setting.integer(
    4,
    { min: 1, max: 1000, unit: 'requests' },
    'Maximum number of expensive requests of one user that one process runs at once: imports, exports, plans, undo, restore, differences, bulk and template operations. Further requests of the user wait up to 20 seconds, then get a 429.'
  ),
  max_keys_per_user: setting.integer(
    5,
    { min: 0, max: 10_000, unit: 'keys' },
    'Maximum number of API keys of a user. Administrators have no limit.'
  ),
})
