import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { OperatorError } from './shell.mjs'

const DATABASES = ['sqlite', 'pg', 'mysql']
/** Suites that one database is enough for, and those that run on each one. */
const ONCE = ['unit', 'doors', 'clients']
/** Suites of the former that need real components. */
const OF_COMPONENTS = ['doors', 'clients', 'browser']
const EVERYWHERE = ['functional', 'backends', 'faults', 'faults-api']
/**
 * Functional tests with a name server that is reached over its HTTP API alone, and has a database of its own, of the
 * kind that the product has. What they say of PowerDNS' own tables has the tag `@sql`.
 */
const OVER_API = 'functional-api'
/** On other databases than SQLite these take long and tell little more: there they run where both are named. */
const WHERE_NAMED = [OVER_API, 'browser']
/**
 * Browser tests run on PostgreSQL, too, where neither databases nor files are named, and look at pages in one look there. These
 * do not: what they say of colours, languages and sizes no database changes, or they have one of their own.
 */
const BROWSER_ONCE = ['api_docs', 'denied', 'first_path', 'languages', 'paint', 'phone_tasks']
const FILES_OVER_API = [
  'autoprimaries',
  'bulk',
  'change_requests',
  'change_requests_comments',
  'change_requests_decide',
  'change_requests_doors',
  'change_requests_failures',
  'change_requests_policy',
  'change_requests_stale',
  'change_requests_sweep',
  'changes',
  'changes_expectations',
  'changes_plan_hash',
  'changes_rights',
  'dnssec',
  'dnssec_keys',
  'dnssec_random',
  'dry_run',
  'dyndns/api',
  'dyndns/at_once',
  'dyndns/board',
  'dyndns/endpoint',
  'dyndns/refused_hosts',
  'dyndns/settings',
  'dyndns/tokens',
  'explain',
  'history',
  'history_at',
  'history_prune',
  'idempotency',
  'import_export',
  'import_formats',
  'journal',
  'name_server_calls',
  'outside_changes',
  'outside_properties',
  'paging',
  'preconditions',
  'prepared',
  'ptr',
  'query_parameters',
  'record_create',
  'record_lists',
  'record_notes',
  'record_notes_history',
  'record_rules',
  'record_update',
  'request_templates',
  'restore',
  'rrsets',
  'rrsets_keys',
  'rule_warnings',
  'search',
  'serials',
  'sight',
  'specification',
  'text_bytes',
  'trash',
  'trash_signed',
  'undo',
  'undo_merge',
  'visibility',
  'zone_clone',
  'zone_create',
  'zone_create_signed',
  'zone_delete',
  'zone_file_fidelity',
  'zone_from_template',
  'zone_marks',
  'zone_metadata',
  'zone_metadata_history',
  'zone_metadata_server',
  'zone_orders',
  'zone_owner_modes',
  'zone_owners',
  'zone_ownership',
  'zone_template_drift',
  'zone_template_links',
  'zone_templates',
  'zone_templates_rights',
  'zone_update',
]
/**
 * Functional tests of pages, mail, status, commands, of the form of requests, of who may do and know what at which route, of what
 * goes through review, and of what a name server does with metadata: what they ask of a database is asked by others, too
 * (`visibility`, `sight`, `audit_chain`, `scheduler`, `rrsets`, `change_requests`, `change_requests_policy`, `idempotency`,
 * `zone_metadata`). Where no database is named they run on SQLite alone.
 */
const OF_PAGES = [
  'access/hidden',
  'access/matrix',
  'audit_api',
  'bodies',
  'change_requests_doors',
  'health',
  'jobs_api',
  'not_set_up',
  'openapi',
  'request_news',
  'server_status',
  'web_account',
  'web_denials',
  'web_dnssec',
  'web_doors',
  'web_drafts',
  'web_dyndns',
  'web_filing',
  'web_first_run',
  'web_guards',
  'web_kept_tags',
  'web_kept_pages',
  'web_keys',
  'web_languages',
  'web_live',
  'web_name_server',
  'web_new_zones',
  'web_operations',
  'web_password_reset',
  'web_people',
  'web_permission_templates',
  'web_refusals',
  'web_requests',
  'web_session',
  'web_styleguide',
  'web_transfer',
  'web_warm_pages',
  'web_wizards',
  'web_zone_from_file',
  'web_zone_templates',
  'web_zone_text',
  'webhook_turns',
  'webhooks',
  'workers_start',
  'zone_metadata_server',
]
/** Of the contract of backends: the one in memory and the API of PowerDNS keep the same own rows, and the latter runs on each. */
const BACKENDS_ONCE = ['memory']
/** Kills of a server on other databases than SQLite, each of which costs the start of one; on SQLite the test says how many. */
const KILLS_ELSEWHERE = process.env.KILL_ROUNDS ?? '25'
/** What takes long begins first, so that all processors have work until the end. */
const LONGEST_FIRST = [
  'functional',
  'doors',
  'browser',
  OVER_API,
  'unit',
  'backends',
  'clients',
  'faults',
  'faults-api',
]
const FILTERS = ['files', 'tests', 'groups', 'tags']

function chosen(flag, text, known) {
  const names = text ? text.split(',').filter(Boolean) : known
  const unknown = names.find((name) => !known.includes(name))
  if (unknown || names.length === 0) {
    throw new OperatorError(`--${flag}: '${unknown ?? text}' is none of ${known.join(', ')}`)
  }
  return known.filter((name) => names.includes(name))
}

/** Names of the tests of a suite, as the filter `--files` takes them. */
function specsOf(root, suite) {
  const folder = join(root, 'tests', suite === OVER_API ? 'functional' : suite.replace('-', '_'))
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true }) : []
  return entries
    .filter((entry) => entry.endsWith('.spec.ts'))
    .map((entry) => entry.replace(/\.spec\.ts$/, ''))
}

/** What other databases than SQLite have to say to a suite, where none is named: its tests, absent for all, and its environment. */
function elsewhere(root, suite) {
  if (suite === 'faults') return { env: { KILL_ROUNDS: KILLS_ELSEWHERE } }
  const once = { functional: OF_PAGES, backends: BACKENDS_ONCE }[suite]
  return once ? { specs: specsOf(root, suite).filter((name) => !once.includes(name)) } : {}
}

/**
 * How the runner is called for a suite: its own name of it, the environment and further filters.
 *
 * @param specs the tests that it has; absent: all of them. A filter that names files goes before
 */
export function callOf(suite, filters, specs = suite === OVER_API ? FILES_OVER_API : undefined) {
  const files = specs && !filters.includes('--files') ? ['--files', specs.join(',')] : []
  if (suite !== OVER_API) {
    return { name: suite, env: {}, filters: [...filters, ...files] }
  }
  const own = [...filters, ...files, '--tags', '!@sql']
  return { name: 'functional', env: { TEST_BACKEND: 'api' }, filters: own }
}

/**
 * What a command line asks for: the test processes (one a suite and database), the databases that they
 * need, and the filters that are handed to the runner.
 */
export function planTests(root, argv) {
  const option = { type: 'string' }
  const options = Object.fromEntries(['suite', 'db', ...FILTERS].map((name) => [name, option]))
  let values
  try {
    values = parseArgs({ args: argv, options }).values
  } catch (error) {
    throw new OperatorError(error.message)
  }
  const suites = chosen('suite', values.suite, LONGEST_FIRST)
  const databases = chosen('db', values.db, DATABASES)
  const present = suites.filter((suite) => specsOf(root, suite).length > 0)
  const processes = present
    .filter((suite) => ONCE.includes(suite))
    .map((suite) => ({ suite, database: 'sqlite' }))
  const repeated = present.filter((suite) => EVERYWHERE.includes(suite))
  for (const database of databases) {
    processes.push(
      ...repeated.map((suite) => ({
        suite,
        database,
        ...(values.db || database === 'sqlite' ? {} : elsewhere(root, suite)),
      }))
    )
  }
  const named = values.db ? (values.suite ?? '').split(',') : []
  const others = present
    .filter((suite) => WHERE_NAMED.includes(suite))
    .flatMap((suite) =>
      databases
        .filter((database) => database === 'sqlite' || named.includes(suite))
        .map((database) => ({ suite, database }))
    )
  if (!values.db && !values.files && present.includes('browser')) {
    const specs = specsOf(root, 'browser').filter((name) => !BROWSER_ONCE.includes(name))
    others.push({ suite: 'browser', database: 'pg', specs, env: { TEST_LOOKS: 'one' } })
  }
  processes.push(...others)
  processes.sort((a, b) => LONGEST_FIRST.indexOf(a.suite) - LONGEST_FIRST.indexOf(b.suite))
  const needed = repeated.length > 0 ? databases : others.map(({ database }) => database)
  const isNeeded = present.some((suite) => [...OF_COMPONENTS, OVER_API].includes(suite))
  return {
    processes,
    databases: isNeeded ? [...new Set(['sqlite', ...needed])] : needed,
    filters: FILTERS.filter((name) => values[name]).flatMap((name) => [`--${name}`, values[name]]),
  }
}
