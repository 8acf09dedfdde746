/**
 * The variables of `app/support/env.ts`, described for docs/reference/settings.md. A test compares the names.
 */
export const BASICS = [
  {
    variable: 'NODE_ENV',
    fallback: '`production` for a build, otherwise `development`',
    help: '`development`, `production` or `test`: that one is for the tests of the product alone, and hashes passwords so that they are not safe.',
  },
  {
    variable: 'APP_KEY',
    fallback: 'required',
    help: 'Secret that encrypts and signs. Made by `node ace setup` or `node ace generate:key`.',
  },
  {
    variable: 'APP_URL',
    fallback: 'none',
    help: 'Address under which users reach the service, for example `https://dns.example.net`.',
  },
  { variable: 'HOST', fallback: '`127.0.0.1`', help: 'Address that the server listens on.' },
  { variable: 'PORT', fallback: '`3333`', help: 'Port that the server listens on.' },
  {
    variable: 'TZ',
    fallback: 'that of the system',
    help: 'Time zone of the process, for example `Europe/Berlin`.',
  },
  {
    variable: 'SETTINGS_FILE',
    fallback: 'none',
    help: 'Path of the settings file; a relative one counts from the checkout.',
  },
  {
    variable: 'DB_CONNECTION',
    fallback: '`sqlite`',
    help: 'Kind of database: `sqlite`, `pg` (PostgreSQL) or `mysql` (MySQL, MariaDB).',
  },
  {
    variable: 'DB_FILE',
    fallback: '`tmp/zonewright.sqlite3`',
    help: 'File of an SQLite database; a relative path counts from the checkout.',
  },
  { variable: 'DB_HOST', fallback: '`127.0.0.1`', help: 'Host of the database server.' },
  {
    variable: 'DB_PORT',
    fallback: '`5432` (pg), `3306` (mysql)',
    help: 'Port of the database server.',
  },
  { variable: 'DB_USER', fallback: 'none', help: 'User at the database server.' },
  { variable: 'DB_PASSWORD', fallback: 'none', help: 'Password at the database server.' },
  { variable: 'DB_DATABASE', fallback: 'none', help: 'Name of the database.' },
] as const
