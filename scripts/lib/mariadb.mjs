import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, join } from 'node:path'
import { locate } from '../components.mjs'
import { freePort } from './free_port.mjs'
import { startServer } from './server_process.mjs'
import { end, run } from './shell.mjs'
import { changeOwner, serverUser } from './system_user.mjs'

const USER = 'zonewright'

/** Creates the data folder. The user who runs the tests becomes the root user of the server, by socket authentication. */
function initialise(folder, user) {
  const program = locate('mariadb-install-db')
  if (basename(program) !== 'mariadb-install-db') {
    run(program, ['--no-defaults', '--initialize-insecure', `--datadir=${folder}`], user)
    return
  }
  const access = [
    '--auth-root-authentication-method=socket',
    `--auth-root-socket-user=${userInfo().username}`,
    '--skip-test-db',
  ]
  run(program, ['--no-defaults', `--datadir=${folder}`, ...access], user)
}

/**
 * Starts a separate MariaDB in `home`, on a free port of 127.0.0.1. `createDatabase(name)` creates an empty database and
 * `copyDatabase(from, name)` a copy; both return environment variables for the application. `stop()` ends the server.
 */
export async function startMariadb(home) {
  // Without an installation its system user is missing, too. The error must name the missing program.
  const program = locate('mariadbd')
  const user = serverUser('mysql')
  const folder = join(home, 'mariadb')
  const socket = join(folder, 'server.sock')
  mkdirSync(folder, { mode: 0o755 })
  changeOwner(folder, user)
  initialise(folder, user)

  const port = await freePort()
  const superUser = userInfo().username
  const asRoot = basename(program) === 'mysqld' ? 'root' : superUser
  const asSuperUser = ['--no-defaults', `--socket=${socket}`, `--user=${asRoot}`]
  const sql = (text) =>
    run(locate('mariadb'), [...asSuperUser, '--batch', '--skip-column-names', '--execute', text])
  const child = await startServer({
    name: 'MariaDB',
    program,
    args: [
      '--no-defaults',
      `--datadir=${folder}`,
      `--socket=${socket}`,
      `--pid-file=${join(folder, 'server.pid')}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      '--character-set-server=utf8mb4',
      '--collation-server=utf8mb4_general_ci',
      '--max-connections=200',
      // Faster commits: data of a killed server stay in the page cache. Only a power failure would lose them.
      '--innodb-flush-log-at-trx-commit=2',
    ],
    options: { ...user, cwd: folder },
    log: join(home, 'mariadb.log'),
    isReady: () => {
      try {
        return sql('select 1').trim() === '1'
      } catch {
        return false
      }
    },
  })
  const password = randomBytes(12).toString('hex')
  sql(`create user '${USER}'@'127.0.0.1' identified by '${password}'`)
  sql(`grant all privileges on \`zonewright\\_%\`.* to '${USER}'@'127.0.0.1'`)

  const variablesOf = (name) => ({
    DB_CONNECTION: 'mysql',
    DB_HOST: '127.0.0.1',
    DB_PORT: String(port),
    DB_USER: USER,
    DB_PASSWORD: password,
    DB_DATABASE: name,
  })
  const dumps = new Map()
  const dumpOf = (name) => {
    if (!dumps.has(name)) {
      dumps.set(name, run(locate('mariadb-dump'), [...asSuperUser, '--routines', name]))
    }
    return dumps.get(name)
  }
  return {
    pid: child.pid,
    createDatabase(name) {
      sql(`create database ${name}`)
      return variablesOf(name)
    },
    copyDatabase(from, name) {
      sql(`create database ${name}`)
      run(locate('mariadb'), [...asSuperUser, name], { input: dumpOf(from.DB_DATABASE) })
      return variablesOf(name)
    },
    stop: () => end(child, 30_000),
  }
}
