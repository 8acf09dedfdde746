/*
| Programs that the tests run against: where they are and how they are installed. `node scripts/components.mjs` prints each
| one with its path.
*/
import { existsSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OperatorError, run, runVisibly, which } from './lib/shell.mjs'

const POLICY = '/usr/sbin/policy-rc.d'

/** Folders `parent/<version>/rest`, newest version first. */
function versioned(parent, rest) {
  const names = existsSync(parent) ? readdirSync(parent) : []
  return names
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => join(parent, name, rest))
}

function postgresProgram(name) {
  const file = which(name, versioned('/usr/lib/postgresql', 'bin'))
  return file && realpathSync(file)
}

function powerdnsModule(name) {
  const folders = [...versioned('/usr/lib', 'pdns'), '/usr/lib/pdns', '/usr/lib64/pdns']
  return which(`lib${name}backend.so`, folders)
}

/**
 * All components: name, Debian package (`lighter`: a smaller alternative that not every release has), the databases that need
 * it (absent: all) and how to find it.
 */
export const COMPONENTS = [
  { name: 'pdns_server', package: 'pdns-server', find: () => which('pdns_server') },
  { name: 'pdnsutil', package: 'pdns-server', find: () => which('pdnsutil') },
  {
    name: 'PowerDNS gsqlite3 backend',
    package: 'pdns-backend-sqlite3',
    databases: ['sqlite'],
    find: () => powerdnsModule('gsqlite3'),
  },
  {
    name: 'PowerDNS gpgsql backend',
    package: 'pdns-backend-pgsql',
    databases: ['pg'],
    find: () => powerdnsModule('gpgsql'),
  },
  {
    name: 'PowerDNS gmysql backend',
    package: 'pdns-backend-mysql',
    databases: ['mysql'],
    find: () => powerdnsModule('gmysql'),
  },
  ...['postgres', 'initdb', 'psql'].map((name) => ({
    name,
    package: 'postgresql',
    databases: ['pg'],
    find: () => postgresProgram(name),
  })),
  {
    name: 'mariadbd',
    package: 'mariadb-server',
    databases: ['mysql'],
    find: () => which('mariadbd') ?? which('mysqld'),
  },
  {
    name: 'mariadb-install-db',
    package: 'mariadb-server',
    databases: ['mysql'],
    // The MySQL server initialises its data folder without another program.
    find: () => which('mariadb-install-db') ?? (which('mariadbd') ? null : which('mysqld')),
  },
  {
    name: 'mariadb',
    package: 'mariadb-server',
    databases: ['mysql'],
    find: () => which('mariadb') ?? which('mysql'),
  },
  {
    name: 'mariadb-dump',
    package: 'mariadb-server',
    databases: ['mysql'],
    find: () => which('mariadb-dump') ?? which('mysqldump'),
  },
  { name: 'dig', package: 'bind9-dnsutils', find: () => which('dig') },
  { name: 'delv', package: 'bind9-dnsutils', find: () => which('delv') },
  { name: 'named-checkzone', package: 'bind9-utils', find: () => which('named-checkzone') },
  { name: 'nsd-checkzone', package: 'nsd', find: () => which('nsd-checkzone') },
  { name: 'nsupdate', package: 'bind9-dnsutils', find: () => which('nsupdate') },
  { name: 'ddclient', package: 'ddclient', find: () => which('ddclient') },
  { name: 'inadyn', package: 'inadyn', find: () => which('inadyn') },
  { name: 'certbot', package: 'certbot', find: () => which('certbot') },
  { name: 'pebble', package: 'pebble', find: () => which('pebble') },
  { name: 'openssl', package: 'openssl', find: () => which('openssl') },
  {
    name: 'chromium',
    package: 'chromium',
    // The headless browser needs less than half the time.
    lighter: 'chromium-headless-shell',
    find: () =>
      ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
        .map((name) => which(name))
        .find(Boolean) ?? null,
  },
]

/** Path of a component by its name. */
export function locate(name) {
  const path = COMPONENTS.find((component) => component.name === name)?.find()
  if (!path) {
    throw new OperatorError(`${name} is missing`)
  }
  return path
}

function missingFor(databases) {
  return COMPONENTS.filter(
    (component) =>
      (!component.databases || component.databases.some((name) => databases.includes(name))) &&
      !component.find()
  )
}

/** The command prefix that runs apt-get as root; null if this process cannot. */
function aptPrefix() {
  if (!which('apt-get')) {
    return null
  }
  if (process.getuid?.() === 0) {
    return ['env']
  }
  try {
    run('sudo', ['-n', 'true'])
    return ['sudo', '-n', 'env']
  } catch {
    return null
  }
}

/** Prevents that apt starts installed services while `work` runs. An existing policy stays. */
async function withoutServiceStarts(prefix, work) {
  if (existsSync(POLICY)) {
    return work()
  }
  const text = '#!/bin/sh\nexit 101\n'
  const isRoot = prefix[0] !== 'sudo'
  if (isRoot) {
    writeFileSync(POLICY, text, { mode: 0o755 })
  } else {
    run('sudo', ['-n', 'install', '-m', '0755', '/dev/stdin', POLICY], { input: text })
  }
  try {
    return await work()
  } finally {
    if (isRoot) {
      rmSync(POLICY, { force: true })
    } else {
      run('sudo', ['-n', 'rm', '-f', POLICY])
    }
  }
}

/** The lighter package if this Debian release has it, otherwise the regular one. */
function packageOf({ package: known, lighter }) {
  try {
    return lighter && run('apt-cache', ['show', lighter]) ? lighter : known
  } catch {
    return known
  }
}

async function aptInstall(prefix, missing) {
  const [program, ...words] = [...prefix, 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', '-y']
  words.push('-o', 'DPkg::Lock::Timeout=300')
  await withoutServiceStarts(prefix, async () => {
    await runVisibly(program, [...words, 'update'])
    // --no-remove: MariaDB must not replace an installed MySQL.
    const flags = ['--no-install-recommends', '--no-remove']
    const packages = [...new Set(missing.map(packageOf))]
    await runVisibly(program, [...words, 'install', ...flags, ...packages])
  })
}

/**
 * Ensures that every component for these databases is installed. Installs missing ones if this process may; otherwise throws
 * an error with the install command.
 */
export async function requireComponents(databases) {
  let missing = missingFor(databases)
  if (missing.length === 0) {
    return
  }
  const prefix = aptPrefix()
  if (prefix) {
    console.log(`Installing missing components: ${missing.map(({ name }) => name).join(', ')}`)
    await aptInstall(prefix, missing)
    missing = missingFor(databases)
  }
  if (missing.length > 0) {
    const lines = missing.map(
      (component) =>
        `${component.name} is missing: sudo apt-get install --no-install-recommends ${component.package}`
    )
    throw new OperatorError(`The tests need real components.\n${lines.join('\n')}`)
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  for (const component of COMPONENTS) {
    const where = component.find() ?? `missing (apt-get install ${component.package})`
    console.log(`${component.name.padEnd(28)} ${where}`)
    process.exitCode = component.find() ? process.exitCode : 1
  }
}
