import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** Time-outs and probe of a watch. */
export interface SilenceLimits {
  /** Milliseconds without an answer after which `probe` runs; the probe has the same time. */
  silentMs: number
  /** Milliseconds without an answer after which a connection is closed in any case. */
  longestMs: number
  /** Queries the database over a new connection; rejects with the error of the network or the database. */
  probe(): Promise<void>
  log: { error(text: string): void; info(text: string): void }
}

const PAUSE_MS = 1_000

/** Network errors that mean that no host answered. All other errors are from a running database. */
const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
])

/**
 * Detects a database host that stops answering without closing its connections. A lock wait and a long statement look
 * the same on their connection, so a second connection probes the database. If the probe fails, all connections are
 * closed, and `demandAnswers` throws until a probe succeeds.
 */
export class SilenceWatch {
  readonly #sockets = new Set<Socket>()
  #isSilent = false
  #runningProbe: Promise<boolean> | null = null

  constructor(private readonly terms: SilenceLimits) {}

  /** Whether the probe failed, and no later probe succeeded. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  /** Throws while the database does not answer. */
  demandAnswers(): void {
    if (this.#isSilent) {
      throw connectionLost('The database does not answer')
    }
  }

  /** Watches the stream of a connection of the pool. */
  watch(stream: Socket): void {
    const { silentMs, longestMs } = this.terms
    /** Sent bytes at the last answer. While there are no more, no query waits for an answer. */
    let bytesAtLastAnswer = stream.bytesWritten
    let since = Date.now()
    this.#sockets.add(stream)
    stream.once('close', () => this.#sockets.delete(stream))
    stream.on('data', () => {
      bytesAtLastAnswer = stream.bytesWritten
      since = Date.now()
    })
    stream.on('timeout', () => {
      stream.setTimeout(silentMs)
      if (stream.bytesWritten === bytesAtLastAnswer) {
        since = Date.now()
      } else if (Date.now() - since >= longestMs) {
        destroy(stream, `The database did not answer for ${longestMs / 1000} seconds`)
      } else {
        void this.#watchForAnswer()
      }
    })
    stream.setTimeout(silentMs)
  }

  async #watchForAnswer(): Promise<void> {
    if (this.#isSilent || (await this.#hasAnswer()) || this.#isSilent) {
      return
    }
    this.#isSilent = true
    const seconds = (2 * this.terms.silentMs) / 1000
    this.terms.log.error(
      `The database did not answer for ${seconds} seconds: its connections are closed`
    )
    this.#sockets.forEach((stream) => destroy(stream, 'The database does not answer'))
    while (!(await this.#hasAnswer())) {
      await wait(PAUSE_MS, null, { ref: false })
    }
    this.#isSilent = false
    this.terms.log.info('The database answers again')
  }

  /** Whether the database answers the probe; an error is an answer. Runs one probe at a time. */
  #hasAnswer(): Promise<boolean> {
    this.#runningProbe ??= this.#probe().finally(() => (this.#runningProbe = null))
    return this.#runningProbe
  }

  async #probe(): Promise<boolean> {
    const overtime = new AbortController()
    const timeout = wait(this.terms.silentMs, false, { signal: overtime.signal, ref: false })
    const answer = this.terms.probe().then(
      () => true,
      (error: unknown) => !isSilence(error)
    )
    try {
      return await Promise.race([answer, timeout])
    } finally {
      overtime.abort()
      timeout.catch(() => {})
    }
  }
}

function isSilence(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: string }
  // Drivers set a message but no code for a connection time-out.
  const isLate = code === 'ETIMEDOUT' || /time(d )?out/i.test(message ?? '')
  return isLate || UNREACHABLE_CODES.has(String(code))
}

function connectionLost(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' })
}

function destroy(stream: Socket, message: string): void {
  stream.destroy(connectionLost(message))
}
