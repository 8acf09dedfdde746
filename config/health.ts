import { defineSettings, setting } from '#settings/define'

const limit = { min: 0.1, max: 60, unit: 'seconds' }

export default defineSettings('health', {
  enabled: setting.boolean(
    false,
    'Whether /api/health (readiness) answers. A disabled endpoint answers 404.'
  ),
  ping_enabled: setting.boolean(
    false,
    'Whether /ping (liveness) answers. A disabled endpoint answers 404.'
  ),
  db_timeout: setting.number(
    2,
    limit,
    'How long /api/health waits for the database before it calls it down.'
  ),
  pdns_timeout: setting.number(
    2,
    limit,
    'How long /api/health waits for the PowerDNS API. It tries twice, so the answer may take double.'
  ),
})
