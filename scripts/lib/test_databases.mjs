import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { pinnedNode } from './dependencies.mjs'
import { startMariadb } from './mariadb.mjs'
import { startPostgres } from './postgres.mjs'
import { cpuSecondsOf } from './process_cpu.mjs'
import { capture } from './shell.mjs'

const START = { pg: startPostgres, mysql: startMariadb }
const TEMPLATE = 'zonewright_template'

/** SQLite needs no server: a database is a file. */
const SQLITE_SERVER = {
  createDatabase: (name, folder) => ({
    DB_CONNECTION: 'sqlite',
    DB_FILE: join(folder, `${name}.sqlite3`),
  }),
  copyDatabase(from, name, folder) {
    const variables = this.createDatabase(name, folder)
    copyFileSync(from.DB_FILE, variables.DB_FILE)
    return variables
  },
  stop: async () => {},
}

/** Databases of one test run. Each server starts when it is first needed and has one migrated template. */
export class TestDatabases {
  #root
  #home
  #servers = new Map()
  #templates = new Map()

  /** @param home folder of the test run */
  constructor(root, home) {
    this.#root = root
    this.#home = home
  }

  /** Creates a database with all tables, as a copy of the template. Returns the environment variables for the application. */
  async create(kind, name, folder) {
    const server = await this.#server(kind)
    if (!this.#templates.has(kind)) this.#templates.set(kind, this.#migrate(server))
    return server.copyDatabase(await this.#templates.get(kind), name, folder)
  }

  /** Creates an empty database. */
  async createEmpty(kind, name, folder) {
    const server = await this.#server(kind)
    return server.createDatabase(name, folder)
  }

  /** Stops all servers. Returns the CPU seconds of each. */
  async stop() {
    const servers = [...this.#servers]
    this.#servers.clear()
    const used = {}
    for (const [kind, starting] of servers) {
      const server = await starting.catch(() => null)
      if (server?.pid) used[kind] = cpuSecondsOf(server.pid)
      await server?.stop()
    }
    return used
  }

  #server(kind) {
    if (!this.#servers.has(kind)) {
      this.#servers.set(
        kind,
        START[kind] ? START[kind](this.#home) : Promise.resolve(SQLITE_SERVER)
      )
    }
    return this.#servers.get(kind)
  }

  async #migrate(server) {
    const variables = await server.createDatabase(TEMPLATE, this.#home)
    const words = ['ace.js', 'migration:run', '--force', '--disable-locks']
    const env = { ...process.env, NODE_ENV: 'test', ...variables }
    await capture(pinnedNode(this.#root), words, { cwd: this.#root, env })
    return variables
  }
}
