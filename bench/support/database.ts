import { mkdirSync, mkdtempSync, chmodSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// @ts-expect-error -- plain JavaScript
import { startMariadb } from '../../scripts/lib/mariadb.mjs'
// @ts-expect-error -- plain JavaScript
import { startPostgres } from '../../scripts/lib/postgres.mjs'

export type Variables = Record<string, string>

/** Database server of a benchmark. */
export interface BenchServer {
  /** Creates an empty database. Returns the environment variables for the application. */
  createDatabase: (name: string) => Variables
  stop: () => Promise<void>
}

/**
 * Starts the database server of `--db`: sqlite (the default), pg or mysql. With `--socket` PostgreSQL is reached by its Unix
 * socket, as on a machine with both.
 */
export async function startBenchServer(argv: string[]): Promise<BenchServer> {
  const word = argv.find((argument) => argument.startsWith('--db='))?.slice('--db='.length)
  const name = word ?? 'sqlite'
  const home = mkdtempSync(join(tmpdir(), 'zonewright-bench-'))
  // The database servers run as other users and need access to their folders.
  chmodSync(home, 0o755)
  const leave = () => rmSync(home, { recursive: true, force: true })
  if (name === 'sqlite') {
    return {
      createDatabase(database) {
        mkdirSync(join(home, database))
        return { DB_CONNECTION: 'sqlite', DB_FILE: join(home, database, 'zonewright.sqlite3') }
      },
      stop: async () => leave(),
    }
  }
  if (name !== 'pg' && name !== 'mysql') {
    throw new Error(`--db is sqlite, pg or mysql, found ${name}`)
  }
  const server: BenchServer & { socket?: string } = await (name === 'pg'
    ? startPostgres(home)
    : startMariadb(home))
  const bySocket =
    argv.includes('--socket') && server.socket ? { DB_HOST: server.socket } : undefined
  return {
    createDatabase: (database) => ({ ...server.createDatabase(database), ...bySocket }),
    async stop() {
      await server.stop()
      leave()
    },
  }
}
