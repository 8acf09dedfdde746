import { defineSettings, setting } from '#settings/define'

export default defineSettings('pdns_api', {
  url: setting.url(
    '',
    'Address of the HTTP API of the PowerDNS server, for example http://127.0.0.1:8081. Slashes at its end are dropped. The API counts as configured when both url and key are set.'
  ),
  key: setting.secret('', 'The api-key of the PowerDNS server, sent with every call to it.'),
  server_name: setting.string(
    'localhost',
    { pattern: /^[\w.-]{1,255}$/, says: "letters, digits, '.', '_' and '-'" },
    'Name of the server within the PowerDNS API. A plain pdns_server calls itself localhost.'
  ),
  timeout: setting.integer(
    20,
    { min: 1, max: 20, unit: 'seconds' },
    'How long PowerDNS may take for a write, or for an answer as large as a zone. A write that is silent for longer is looked after for 5 seconds at most, then answered with 502.'
  ),
})
