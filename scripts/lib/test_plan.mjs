import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { OperatorError } from './shell.mjs'

const DATABASES = ['sqlite', 'pg', 'mysql']
/** Suites that one database is enough for, and those that run on each one. */
const ONCE = ['unit', 'clients']
/** Suites of the former that need real components. */
const OF_COMPONENTS = ['clients']
const EVERYWHERE = ['functional', 'backends', 'faults']
const FILTERS = ['files', 'tests', 'groups', 'tags']

function chosen(flag, text, known) {
  const names = text ? text.split(',').filter(Boolean) : known
  const unknown = names.find((name) => !known.includes(name))
  if (unknown || names.length === 0) {
    throw new OperatorError(`--${flag}: '${unknown ?? text}' is none of ${known.join(', ')}`)
  }
  return known.filter((name) => names.includes(name))
}

function hasSpecs(root, suite) {
  const folder = join(root, 'tests', suite)
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true }) : []
  return entries.some((entry) => entry.endsWith('.spec.ts'))
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
  const suites = chosen('suite', values.suite, [...ONCE, ...EVERYWHERE])
  const databases = chosen('db', values.db, DATABASES)
  const present = suites.filter((suite) => hasSpecs(root, suite))
  const processes = present
    .filter((suite) => ONCE.includes(suite))
    .map((suite) => ({ suite, database: 'sqlite' }))
  const repeated = present.filter((suite) => EVERYWHERE.includes(suite))
  for (const database of databases) {
    processes.push(...repeated.map((suite) => ({ suite, database })))
  }
  const needed = repeated.length > 0 ? databases : []
  const isNeeded = present.some((suite) => OF_COMPONENTS.includes(suite))
  return {
    processes,
    databases: isNeeded ? [...new Set(['sqlite', ...needed])] : needed,
    filters: FILTERS.filter((name) => values[name]).flatMap((name) => [`--${name}`, values[name]]),
  }
}
