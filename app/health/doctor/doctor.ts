import db from '@adonisjs/lucid/services/db'
import { clock } from '#health/doctor/clock'
import { ok, remark, wrongFinding, type Finding } from '#health/doctor/finding'
import { luaRecords } from '#health/doctor/lua_records'
import { recordsIndexes } from '#health/doctor/records_indexes'
import { secretFiles } from '#health/doctor/secret_files'
import { sortKeys } from '#health/doctor/sort_keys'
import { temporaryFiles } from '#health/doctor/temporary_files'
import { textIndexes } from '#health/doctor/text_indexes'
import { HealthChecks } from '#health/health_checks'
import env from '#support/env'
import { homePath } from '#support/home'

/** Shorter secrets are allowed, but easier to guess. */
const MIN_KEY_CHARACTERS = 32

/**
 * Checks what an installation needs in addition to its settings.
 *
 * @param pendingMigrations names of the migrations that did not run on the database
 */
export async function diagnose(pendingMigrations: () => Promise<string[]>): Promise<Finding[]> {
  const { database, pdns_api: api } = await new HealthChecks().run({ isReader: true })
  const secrets = ['.env', process.env.SETTINGS_FILE].filter((path) => path !== undefined)
  const files = await secretFiles(secrets.map(homePath))
  const findings = [await temporaryFiles(), files, appKey(), powerDnsApi(api)]
  if (database !== 'ok') {
    const remedy =
      'Start the database server, or correct DB_CONNECTION, DB_FILE, DB_HOST, DB_PORT, DB_USER, DB_PASSWORD'
    return [wrongFinding('database', 'The database cannot be reached', remedy), ...findings]
  }
  const databaseFinding = ok('database', `The database answers (${db.connection().dialect.name})`)
  const pending = await pendingMigrations()
  if (pending.length > 0) {
    const text = `${pending.length} migration(s) of the database are pending`
    return [databaseFinding, wrongFinding('migrations', text, 'Run: node ace setup'), ...findings]
  }
  const client = db.connection()
  return [
    databaseFinding,
    ok('migrations', 'The database is up to date'),
    ...(await recordsIndexes(client)),
    ...(await textIndexes(client)),
    await sortKeys(client),
    ...(await luaRecords()),
    ...(await clock(client)),
    ...findings,
  ]
}

function appKey(): Finding {
  return env.get('APP_KEY').release().length < MIN_KEY_CHARACTERS
    ? remark(
        'app_key',
        `APP_KEY has fewer than ${MIN_KEY_CHARACTERS} characters`,
        'Set a longer APP_KEY; a user who guesses it can forge sealed data'
      )
    : ok('app_key', 'APP_KEY is long enough')
}

function powerDnsApi(state: 'ok' | 'down' | 'skipped'): Finding {
  switch (state) {
    case 'ok':
      return ok('pdns_api', 'The PowerDNS API answers')
    case 'skipped':
      return ok('pdns_api', 'The PowerDNS API is neither configured nor needed')
    default:
      return wrongFinding(
        'pdns_api',
        'The PowerDNS API does not answer, or is needed but not configured',
        'Check the settings pdns_api.url, pdns_api.key and pdns_api.server_name, and api=yes in pdns.conf'
      )
  }
}
