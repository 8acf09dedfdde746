/**
 * The variables of `app/support/env.ts`, described for docs/reference/settings.md. A test compares the names.
 */
export const BASIC_VARIABLES = [
  {
    variable: 'NODE_ENV',
    fallback: '`production` for a build, otherwise `development`',
    help: '`development`, `production` or `test`. `test` is only for the tests of Zonewright: its password hashes are not secure.',
  },
  {
    variable: 'APP_KEY',
    fallback: 'required',
    help: 'Secret for encryption and signatures. Created by `node ace setup` or `node ace generate:key`.',
  },
  {
    variable: 'APP_URL',
    fallback: 'none',
    help: 'URL at which users reach the service, for example `https://dns.example.net`.',
  },
  { variable: 'HOST', fallback: '`127.0.0.1`', help: 'Address that the server listens on.' },
  { variable: 'PORT', fallback: '`3333`', help: 'Port that the server listens on.' },
  {
    variable: 'TZ',
    fallback: 'the time zone of the system',
    help: 'Time zone of the process, for example `Europe/Berlin`.',
  },
  {
    variable: 'SETTINGS_FILE',
    fallback: 'none',
    help: 'Path of the settings file. A relative path starts at the checkout.',
  },
  {
    variable: 'DB_CONNECTION',
    fallback: '`sqlite`',
    help: 'Kind of database: `sqlite`, `pg` (PostgreSQL) or `mysql` (MySQL, MariaDB).',
  },
  {
    variable: 'DB_FILE',
    fallback: '`tmp/zonewright.sqlite3`',
    help: 'File of an SQLite database. A relative path starts at the checkout.',
  },
  { variable: 'DB_HOST', fallback: '`127.0.0.1`', help: 'Host of the database server.' },
  {
    variable: 'DB_PORT',
    fallback: '`5432` (pg), `3306` (mysql)',
    help: 'Port of the database server.',
  },
  { variable: 'DB_USER', fallback: 'none', help: 'User name for the database server.' },
  { variable: 'DB_PASSWORD', fallback: 'none', help: 'Password for the database server.' },
  { variable: 'DB_DATABASE', fallback: 'none', help: 'Name of the database.' },
] as const
