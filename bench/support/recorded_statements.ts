import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApplicationService } from '@adonisjs/core/types'
import type { BareAnswer } from './bare.ts'
import { leaveDrivers, statementsOf, watchDrivers, type Statement } from './driver_log.ts'
import type { Request } from './load.ts'

/**
 * Background work can add statements, so the shortest of several recordings is used. A recording with writes is not a read and
 * does not count.
 */
const RUNS = 3
const MAX_TRIES = 100
const BACKGROUND_MS = 20
const WRITES = /^\s*(insert|update|delete|replace)\b/i

/** Makes this process answer HTTP requests. Returns the URL. */
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

/** Records the statements of each request, by path, for the bare server. */
export async function recordedStatements(
  url: string,
  requests: Request[]
): Promise<Record<string, BareAnswer>> {
  watchDrivers()
  const answers: Record<string, BareAnswer> = {}
  for (const { path, headers, status } of requests) {
    const send = async () => {
      const response = await fetch(`${url}${path}`, { headers })
      await response.text()
    }
    // The first read of a zone may write snapshots.
    await send()
    const recordings: Statement[][] = []
    for (let i = 0; i < MAX_TRIES && recordings.length < RUNS; i++) {
      const statements = await statementsOf(send)
      if (!statements.some(({ sql }) => WRITES.test(sql))) recordings.push(statements)
      else await sleep(BACKGROUND_MS)
    }
    if (recordings.length === 0)
      throw new Error(`${path} writes: it cannot be compared with a read`)
    const [statements] = recordings.toSorted((a, b) => a.length - b.length)
    answers[path] = { status, statements }
  }
  leaveDrivers()
  return answers
}
