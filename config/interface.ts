import { defineSettings, setting } from '#settings/define'

/** Allowed number of rows per page of a list. More rows would create a document of thousands of elements. */
export const ROWS_PER_PAGE = { min: 10, max: 100 }

export default defineSettings('interface', {
  web_enabled: setting.boolean(
    true,
    'Enables the web interface. Without it, only the API, the dynamic DNS endpoint and the health checks answer.'
  ),
  title: setting.string(
    'Zonewright',
    { isText: (text) => text.length > 0 && text.length <= 40, says: '1..40 characters' },
    'Name of the web interface in titles.'
  ),
  language: setting.string(
    'en',
    {
      isText: (text) => /^[a-z]{2,3}(-[A-Za-z]{2,4})?$/.test(text),
      says: 'a language, such as en',
    },
    'Language of the web interface for browsers that request none of its languages.'
  ),
  rows_per_page: setting.integer(
    50,
    { ...ROWS_PER_PAGE, unit: 'rows' },
    'Default number of rows per page of lists in the web interface.'
  ),
  session_timeout: setting.integer(
    1800,
    { min: 60, max: 604_800, unit: 'seconds' },
    'Time without a request after which a session of the web interface ends.'
  ),
  session_lifetime: setting.integer(
    12,
    { min: 1, max: 720, unit: 'hours' },
    'Maximum duration of a session of the web interface. After that, users must sign in again.'
  ),
  remember_days: setting.integer(
    30,
    { min: 0, max: 365, unit: 'days' },
    'Duration of a session with “stay signed in”; 0 disables it.'
  ),
  max_upload_bytes: setting.integer(
    10_485_760,
    { min: 4_194_304, max: 268_435_456, unit: 'bytes' },
    'Maximum size of a zone file in the web interface. Import larger files with `zone:import`.'
  ),
  add_reverse_record: setting.boolean(
    true,
    'Allows callers to update the PTR record together with an A or AAAA record.'
  ),
  show_pdns_status: setting.boolean(
    false,
    'Shows the status of the name server in the web interface. GET /server/status does not depend on it.'
  ),
})
