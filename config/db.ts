import { defineSettings, setting } from '#settings/define'

export default defineSettings('db', {
  silence_seconds: setting.number(
    3,
    { min: 0.2, max: 60, unit: 'seconds' },
    'After so long without an answer of PostgreSQL or MariaDB, a connection of its own asks whether the database answers at all, for as long again. If it does not, all connections are dropped, and requests get a 503 at once until it answers.'
  ),
  statement_seconds: setting.integer(
    20,
    { min: 11, max: 3_600, unit: 'seconds' },
    'How long one statement of a request may take in PostgreSQL or MariaDB before it is ended. A connection that says nothing for so long is dropped. Commands have no such limit.'
  ),
})
