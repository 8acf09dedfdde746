import { defineSettings, setting } from '#settings/define'

export default defineSettings('pdns_api', {
  url: setting.url(
    '',
    'URL of the HTTP API of the PowerDNS server, for example http://127.0.0.1:8081. Trailing slashes are removed. The API is configured if url and key are set.'
  ),
  key: setting.secret('', 'The api-key of the PowerDNS server.'),
  server_name: setting.string(
    'localhost',
    { pattern: /^[\w.-]{1,255}$/, says: "letters, digits, '.', '_' and '-'" },
    'Server id in the PowerDNS API. The default of pdns_server is localhost.'
  ),
  timeout: setting.integer(
    20,
    { min: 1, max: 20, unit: 'seconds' },
    'Timeout for a write to PowerDNS, and for an answer as large as a zone. After that, a write is verified for up to 5 seconds, then answered with 502.'
  ),
})
