import { availableParallelism } from 'node:os'

/** Default limit. With 10 connections per worker, the total stays below 100, the default limit of PostgreSQL. */
const MAX_DEFAULT_WORKERS = 8

/**
 * Returns the number of worker processes: the setting, otherwise one per core. On SQLite one by default, because its driver
 * waits for locks synchronously.
 *
 * @param configured   the setting `server.workers`
 * @param database the value of `DB_CONNECTION`
 */
export function workerCount(
  configured: number | null,
  database: string,
  cores: number = availableParallelism()
): number {
  if (configured !== null) {
    return configured
  }
  return database === 'sqlite' ? 1 : Math.min(cores, MAX_DEFAULT_WORKERS)
}
