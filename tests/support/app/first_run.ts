import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { ace, type CommandResult } from '#tests/support/app/commands'
import { OtherServer, testFolder } from '#tests/support/app/server'
import { eventually } from '#tests/support/eventually'

/** SQLite files after `setup` with the output of the command, by backend. */
const prepared = new Map<string, Promise<{ file: string; setup: CommandResult }>>()

async function prepare(variables: Record<string, string>) {
  const file = join(testFolder('first-run'), 'prepared.sqlite3')
  const setup = await ace(['setup'], { variables: { ...variables, DB_FILE: file } })
  if (setup.code !== 0) throw new Error(setup.stdout + setup.stderr)
  return { file, setup }
}

/**
 * Creates an unused database and starts a server on it; `more` overrides settings. `setup` runs once for each backend, and
 * each database is a copy of that file.
 */
export async function freshServer(more: Record<string, string> = {}) {
  const DB_FILE = join(testFolder('first-run'), 'zonewright.sqlite3')
  const variables = { DB_CONNECTION: 'sqlite', DB_FILE, DNS_BACKEND: 'sql', ...more }
  const preparing = prepared.get(variables.DNS_BACKEND) ?? prepare(variables)
  prepared.set(variables.DNS_BACKEND, preparing)
  const { file, setup } = await preparing
  copyFileSync(file, DB_FILE)
  const server = await OtherServer.start(variables)
  return { setup, server, variables }
}

/** Returns the setup token that a server printed. */
export async function tokenOf(server: OtherServer): Promise<string> {
  const found = () => /\/setup#token=([\w-]+)/.exec(server.log())?.[1] ?? ''
  await eventually(() => {
    if (found() === '') throw new Error(`No token in ${server.log()}`)
  })
  return found()
}
