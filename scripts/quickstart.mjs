/*
| From a clone to a running service: `npm run quickstart`.
|
| Installs packages, creates `.env`, builds, prepares the database, creates the first administrator with an API key, and
| starts the service. Completed steps are skipped, so a second run only starts the service.
|
| Runs before packages are installed, on the Node of the shell: plain JavaScript for Node 20 without packages.
*/
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { constants } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuild } from './lib/build.mjs'
import { installDependencies, pinnedNode } from './lib/dependencies.mjs'
import { endingWithParent, OperatorError, runVisibly } from './lib/shell.mjs'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const ENV_FILE = join(ROOT, '.env')
const ADMIN = 'admin'
/** Exists from the start of the first run until its password and key were printed. */
const UNFINISHED = join(ROOT, 'tmp/quickstart.unfinished')
const ENV_TEXT = `# Created by npm run quickstart. Every variable: docs/reference/settings.md

# Secret of this installation. Do not change or lose it.
APP_KEY=${randomBytes(32).toString('base64url')}

# Where the service listens.
HOST=127.0.0.1
PORT=3333

# An SQLite file; PowerDNS reads it with its gsqlite3 backend.
DB_CONNECTION=sqlite
DB_FILE=tmp/zonewright.sqlite3

# The JSON API and the health endpoints are off by default.
API_ENABLED=true
HEALTH_ENABLED=true
HEALTH_PING_ENABLED=true

# Stricter than the defaults: docs/reference/security.md.
SECURITY_ACCOUNT_LOCKOUT_ENABLE_LOCKOUT=true
SECURITY_PASSWORD_POLICY_ENABLE_PASSWORD_RULES=true
PERMISSIONS_ASSIGN_ONLY_HELD=true
`

/** The running child process, which receives forwarded signals. */
let current = null

function checkRunningNode() {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new OperatorError(
      `This script needs Node.js 20 or newer, found ${process.version} at ${process.execPath}.`
    )
  }
}

/** A setting: from the environment, from `.env`, or the fallback. */
function variable(name, fallback) {
  if (process.env[name]) {
    return process.env[name]
  }
  const text = existsSync(ENV_FILE) ? readFileSync(ENV_FILE, 'utf8') : ''
  const line = new RegExp(`^\\s*${name}\\s*=\\s*(["']?)([^"'#\\s]+)\\1`, 'm').exec(text)
  return line?.[2] ?? fallback
}

/** Throws before anything is created if the service cannot listen on its address. */
async function checkAddress() {
  const host = variable('HOST', '127.0.0.1')
  const port = Number(variable('PORT', '3333'))
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new OperatorError(`PORT is '${variable('PORT')}', allowed: a port number, 0 to 65535.`)
  }
  const problem = await new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(error.code))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
  const reasons = {
    EADDRINUSE: `Port ${port} of ${host} is in use, perhaps by a Zonewright that already runs. Stop it, or choose another port: PORT=4444 npm run quickstart`,
    EACCES: `Port ${port} of ${host} cannot be used by this account. Choose a port above 1023: PORT=4444 npm run quickstart`,
  }
  if (problem) {
    throw new OperatorError(
      reasons[problem] ??
        `Cannot listen on port ${port} of ${host} (${problem}): see HOST and PORT.`
    )
  }
}

/** Runs Node on the streams of this process, or captures stdout with `output`. Resolves to [exit code, stdout]. */
async function node(args, { output = false, channel = false, onMessage } = {}) {
  const [program, words] = endingWithParent(pinnedNode(ROOT), args, 'TERM')
  const stdio = ['ignore', output ? 'pipe' : 'inherit', 'inherit', ...(channel ? ['ipc'] : [])]
  const path = [join(ROOT, 'node_modules/.bin'), process.env.PATH].filter(Boolean).join(delimiter)
  let text = ''
  const code = await runVisibly(program, words, {
    cwd: ROOT,
    env: { ...process.env, PATH: path },
    stdio,
    onSpawn(child) {
      current = child
      child.stdout?.setEncoding('utf8').on('data', (part) => (text += part))
      child.on('message', (message) => onMessage?.(message))
    },
  })
  current = null
  return [code, text]
}

/** Runs an Ace command of the build and returns its stdout. */
async function ace(...args) {
  const [code, text] = await node(['build/ace.js', ...args], { output: true })
  if (code !== 0) {
    throw new OperatorError(`${text}node ace ${args.join(' ')} failed with exit code ${code}`)
  }
  return text
}

/** Whether this is the first run, or an earlier first run did not finish. */
function isFirstRun() {
  const file = variable('DB_FILE', 'tmp/zonewright.sqlite3')
  const isSqlite = variable('DB_CONNECTION', 'sqlite') === 'sqlite'
  const database = isAbsolute(file) ? file : join(ROOT, file)
  return !existsSync(ENV_FILE) || (isSqlite && !existsSync(database)) || existsSync(UNFINISHED)
}

/** Migrates the database. The first run also creates the administrator and the API key, and prints both. */
async function setUp(isFirst) {
  // The created files contain secrets: other users must not read them.
  process.umask(0o077)
  const text = await ace('setup', ...(isFirst ? [`--admin=${ADMIN}`] : []))
  if (!isFirst) {
    return
  }
  const password = new RegExp(`^Password of ${ADMIN}: (\\S+)$`, 'm').exec(text)?.[1]
  const { key } = JSON.parse(await ace('api-key:create', ADMIN, '--name=quickstart'))
  console.log(`
The first administrator. This is shown once:

  User      ${ADMIN}
  Password  ${password ?? 'as in ADMIN_PASSWORD, or as printed before'}
  API key   ${key}
`)
  rmSync(UNFINISHED, { force: true })
}

function serve() {
  return node(['build/bin/server.js'], {
    channel: true,
    onMessage({ isAdonisJS: isReady, host, port }) {
      if (isReady) {
        const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
        const address = name.includes(':') ? `[${name}]` : name
        const serviceUrl = `http://${address}:${port}`
        console.log(
          `Zonewright serves ${serviceUrl} for browsers and ${serviceUrl}/api/v2 for scripts (Ctrl-C ends it)`
        )
      }
    },
  })
}

async function main() {
  checkRunningNode()
  await checkAddress()
  const isFirst = isFirstRun()
  await installDependencies(ROOT, { onSpawn: (npm) => (current = npm) })
  current = null
  if (isFirst) {
    closeSync(openSync(UNFINISHED, 'a'))
  }
  if (!existsSync(ENV_FILE)) {
    writeFileSync(ENV_FILE, ENV_TEXT, { mode: 0o600, flag: 'wx' })
    console.log('Created .env')
  }
  await ensureBuild(ROOT, (words) => node(words, { output: true }))
  await setUp(isFirst)
  const [code] = await serve()
  return code
}

function forwardSignal(signal) {
  if (!current) {
    process.exit(128 + constants.signals[signal])
  }
  current.kill(signal)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => forwardSignal(signal))
}
if (process.env.npm_lifecycle_event) {
  // npm forwards a signal only to its shell, whose end this process must detect.
  const shell = process.ppid
  setInterval(() => process.ppid !== shell && forwardSignal('SIGTERM'), 250).unref()
}

try {
  process.exitCode = await main()
} catch (error) {
  const isMissingNpm = error.code === 'ENOENT' && error.path === 'npm'
  const message = isMissingNpm
    ? 'npm is missing: it comes with Node.js, https://nodejs.org'
    : error.message
  console.error(error instanceof OperatorError || isMissingNpm ? message : error)
  process.exitCode = 1
}
