import { availableParallelism } from 'node:os'

/**
 * Workers that nobody asked for are no more than this: with 10 connections each they stay below the 100 that
 * PostgreSQL takes unless it is told otherwise.
 */
const MAX_DEFAULT_WORKERS = 8

/**
 * How many processes serve: as many as wanted; without a wish one for each core, but one on SQLite, whose driver
 * waits for locks synchronously.
 *
 * @param wanted   the setting `server.workers`
 * @param database the kind of database, as `DB_CONNECTION` names it
 */
export function workerCount(
  wanted: number | null,
  database: string,
  cores: number = availableParallelism()
): number {
  if (wanted !== null) {
    return wanted
  }
  return database === 'sqlite' ? 1 : Math.min(cores, MAX_DEFAULT_WORKERS)
}
