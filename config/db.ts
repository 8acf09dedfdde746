import { defineSettings, setting } from '#settings/define'

export default defineSettings('db', {
  silence_seconds: setting.number(
    3,
    { min: 0.2, max: 60, unit: 'seconds' },
    'Time without an answer from PostgreSQL or MariaDB after which a new connection probes the database for the same time. If the probe fails, all connections are closed, and requests get a 503 until the database answers.'
  ),
  statement_seconds: setting.integer(
    20,
    { min: 11, max: 3_600, unit: 'seconds' },
    'Timeout for a statement of a request on PostgreSQL and MariaDB. A connection without an answer for this time is closed. Commands have no timeout.'
  ),
})
