import { join } from 'node:path'
import { ace } from '#tests/support/app/commands'
import { OtherServer, testFolder } from '#tests/support/app/server'
import { eventually } from '#tests/support/eventually'

/** A database that nobody used yet, and a server on it; with other settings, where there are `more`. */
export async function freshServer(more: Record<string, string> = {}) {
  const file = join(testFolder('first-run'), 'zonewright.sqlite3')
  const variables = { DB_CONNECTION: 'sqlite', DB_FILE: file, DNS_BACKEND: 'sql', ...more }
  const setup = await ace(['setup'], { variables })
  const server = await OtherServer.start(variables)
  return { setup, server, variables }
}

/** The token that a server printed. */
export async function tokenOf(server: OtherServer): Promise<string> {
  const found = () => /\/setup#token=([\w-]+)/.exec(server.log())?.[1] ?? ''
  await eventually(() => {
    if (found() === '') throw new Error(`No token in ${server.log()}`)
  })
  return found()
}
