import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { locate } from '../components.mjs'
import { freePort } from './free_port.mjs'
import { startServer } from './server_process.mjs'
import { end, run } from './shell.mjs'
import { changeOwner, serverUser } from './system_user.mjs'

const USER = 'zonewright'

/** Creates the cluster with a language collation, as on production servers, if initdb supports one. */
function initialise(folder, user, superPassword) {
  const initdb = locate('initdb')
  const secret = `${folder}.password`
  writeFileSync(secret, superPassword, { mode: 0o600 })
  changeOwner(secret, user)
  const hasIcu = run(initdb, ['--help']).includes('--icu-locale')
  const locale = hasIcu
    ? ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US']
    : ['--locale=C.UTF-8']
  const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${secret}`]
  const args = [`--pgdata=${folder}`, '--encoding=UTF8', '--no-sync', ...locale, ...access]
  run(initdb, args, { ...user, cwd: '/' })
  rmSync(secret)
}

/**
 * Starts a separate PostgreSQL in `home`, on a free port of 127.0.0.1. `createDatabase(name)` creates an empty database;
 * `copyDatabase(from, name)` copies one without open connections. Both return environment variables for the application.
 * `socket` is the host name for connections by Unix socket. `stop()` ends the server.
 */
export async function startPostgres(home) {
  const user = serverUser('postgres')
  const folder = join(home, 'postgres')
  mkdirSync(folder, { mode: 0o700 })
  changeOwner(folder, user)
  const superPassword = randomBytes(12).toString('hex')
  const password = randomBytes(12).toString('hex')
  initialise(folder, user, superPassword)

  const port = await freePort()
  const sql = (text) =>
    run(locate('psql'), ['-XqAt', '-v', 'ON_ERROR_STOP=1', '-d', 'postgres', '-c', text], {
      env: {
        ...process.env,
        PGHOST: '127.0.0.1',
        PGPORT: String(port),
        PGUSER: 'postgres',
        PGPASSWORD: superPassword,
      },
    })
  const settings = {
    port: port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    fsync: 'off',
    full_page_writes: 'off',
    max_connections: 200,
    logging_collector: 'off',
  }
  const child = await startServer({
    name: 'PostgreSQL',
    program: locate('postgres'),
    args: [
      '-D',
      folder,
      ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ],
    options: { ...user, cwd: folder },
    log: join(home, 'postgres.log'),
    isReady: () => {
      try {
        return sql('select 1').trim() === '1'
      } catch {
        return false
      }
    },
  })
  sql(`create role ${USER} login createdb password '${password}'`)

  const variablesOf = (name) => ({
    DB_CONNECTION: 'pg',
    DB_HOST: '127.0.0.1',
    DB_PORT: String(port),
    DB_USER: USER,
    DB_PASSWORD: password,
    DB_DATABASE: name,
  })
  return {
    pid: child.pid,
    socket: folder,
    createDatabase(name) {
      sql(`create database ${name} owner ${USER}`)
      return variablesOf(name)
    },
    copyDatabase(from, name) {
      sql(`create database ${name} owner ${USER} template ${from.DB_DATABASE}`)
      return variablesOf(name)
    },
    async stop() {
      // SIGINT is PostgreSQL's "fast" shutdown: it closes client connections.
      child.kill('SIGINT')
      await end(child)
    },
  }
}
