import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApplicationService } from '@adonisjs/core/types'
import type { BareAnswer } from './bare.ts'
import { leaveDrivers, statementsOf, watchDrivers, type Statement } from './driver_log.ts'
import type { Request } from './load.ts'

/**
 * What the service does in the background may be among statements: the fewest of several looks are without. Where one of
 * them writes, it is none of a read, and the look does not count.
 */
const RUNS = 3
const MAX_TRIES = 100
const BACKGROUND_MS = 20
const WRITES = /^\s*(insert|update|delete|replace)\b/i

/** Lets the application of this process answer requests, too; its URL. */
export async function listen(app: ApplicationService): Promise<string> {
  let port = 0
  await app.start(async () => {
    const server = await app.container.make('server')
    await server.boot()
    const http = createServer(server.handle.bind(server))
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    port = (http.address() as AddressInfo).port
  })
  return `http://127.0.0.1:${port}`
}

/** The statements that each request sends, for a bare server to send the very same; by the path of the request. */
export async function recordedStatements(
  url: string,
  requests: Request[]
): Promise<Record<string, BareAnswer>> {
  watchDrivers()
  const answers: Record<string, BareAnswer> = {}
  for (const { path, headers, status } of requests) {
    const ask = async () => {
      const answer = await fetch(`${url}${path}`, { headers })
      await answer.text()
    }
    // The first look at a zone may find something to write.
    await ask()
    const noted: Statement[][] = []
    for (let i = 0; i < MAX_TRIES && noted.length < RUNS; i++) {
      const statements = await statementsOf(ask)
      if (!statements.some(({ sql }) => WRITES.test(sql))) noted.push(statements)
      else await sleep(BACKGROUND_MS)
    }
    if (noted.length === 0) throw new Error(`${path} writes: it cannot be compared with a read`)
    const [statements] = noted.toSorted((a, b) => a.length - b.length)
    answers[path] = { status, statements }
  }
  leaveDrivers()
  return answers
}
