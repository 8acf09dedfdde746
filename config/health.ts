import { defineSettings, setting } from '#settings/define'

const limit = { min: 0.1, max: 60, unit: 'seconds' }

export default defineSettings('health', {
  enabled: setting.boolean(
    false,
    'Enables /api/health (readiness). A disabled endpoint answers 404.'
  ),
  ping_enabled: setting.boolean(
    false,
    'Enables /ping (liveness). A disabled endpoint answers 404.'
  ),
  db_timeout: setting.number(2, limit, 'Time that /api/health waits for the database.'),
  pdns_timeout: setting.number(
    2,
    limit,
    'Time that /api/health waits for the PowerDNS API. It tries twice, so the answer can take twice as long.'
  ),
})
