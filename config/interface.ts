import { defineSettings, setting } from '#settings/define'

/** How many rows a page of a list may have: with more, its document would have thousands of elements. */
export const ROWS_PER_PAGE = { min: 10, max: 100 }

export default defineSettings('interface', {
  web_enabled: setting.boolean(
    true,
    'Whether there is a web interface. Without it, only the API, the endpoint for routers, and the health checks answer.'
  ),
  title: setting.string(
    'Zonewright',
    { isText: (text) => text.length > 0 && text.length <= 40, says: '1..40 characters' },
    'What the web interface calls itself.'
  ),
  language: setting.string(
    'en',
    {
      isText: (text) => /^[a-z]{2,3}(-[A-Za-z]{2,4})?$/.test(text),
      says: 'a language, such as en',
    },
    'The language of the web interface for browsers that ask for none of its languages.'
  ),
  rows_per_page: setting.integer(
    50,
    { ...ROWS_PER_PAGE, unit: 'rows' },
    'Rows of a page of a list in the web interface, for whoever did not choose another number.'
  ),
  session_timeout: setting.integer(
    1800,
    { min: 60, max: 604_800, unit: 'seconds' },
    'A session of the web interface ends after so long without a request.'
  ),
  session_lifetime: setting.integer(
    12,
    { min: 1, max: 720, unit: 'hours' },
    'A session of the web interface ends after so long, used or not, and a new sign-in is needed.'
  ),
  remember_days: setting.integer(
    30,
    { min: 0, max: 365, unit: 'days' },
    'How long a session lasts for whoever asks to stay signed in, used or not. 0 offers no such thing.'
  ),
  max_upload_bytes: setting.integer(
    10_485_760,
    { min: 4_194_304, max: 268_435_456, unit: 'bytes' },
    'The longest zone file, or text of one, that the web interface reads. Larger files are imported by `zone:import`.'
  ),
  add_reverse_record: setting.boolean(
    true,
    'Whether writing an A or AAAA record may write the matching PTR record too, when the caller asks for it.'
  ),
  show_pdns_status: setting.boolean(
    false,
    'Whether a web interface shows the status of the name server. GET /server/status does not depend on it.'
  ),
})
