import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** What a watch goes by. */
export interface SilenceTerms {
  /** After so long without an answer the database is asked by another connection, which has as long. */
  silentMs: number
  /** A connection that says nothing for so long is given up, whatever others say. */
  longestMs: number
  /** Asks the database over a connection of its own; rejects with what the network or the database says. */
  probe(): Promise<void>
  log: { error(text: string): void; info(text: string): void }
}

const PAUSE_MS = 1_000

/** What the network says where nobody answers. Everything else is said by the database, which is there then. */
const NOBODY = new Set(['ECONNREFUSED', 'EHOSTDOWN', 'EHOSTUNREACH', 'ENETDOWN', 'ENETUNREACH'])

/**
 * Notices a database whose host stopped answering without closing connections. A wait for a lock and a long statement look
 * the same on their connection, so that another one asks whether the database answers at all. If it does not, all
 * connections are dropped, and `demandAnswers` throws until it answers again.
 */
export class SilenceWatch {
  readonly #streams = new Set<Socket>()
  #isSilent = false
  #asking: Promise<boolean> | null = null

  constructor(private readonly terms: SilenceTerms) {}

  /** Whether the database was found to be silent, and has not answered since. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  /** Throws where the database does not answer: who waits for it would wait in vain. */
  demandAnswers(): void {
    if (this.#isSilent) {
      throw lost('The database does not answer')
    }
  }

  /** Watches the stream of a connection of the pool. */
  watch(stream: Socket): void {
    const { silentMs, longestMs } = this.terms
    /** Bytes that were sent when the last answer came: as long as there are no more, nobody waits. */
    let answered = stream.bytesWritten
    let since = Date.now()
    this.#streams.add(stream)
    stream.once('close', () => this.#streams.delete(stream))
    stream.on('data', () => {
      answered = stream.bytesWritten
      since = Date.now()
    })
    stream.on('timeout', () => {
      stream.setTimeout(silentMs)
      if (stream.bytesWritten === answered) {
        since = Date.now()
      } else if (Date.now() - since >= longestMs) {
        give(stream, `The database did not answer for ${longestMs / 1000} seconds`)
      } else {
        void this.#ask()
      }
    })
    stream.setTimeout(silentMs)
  }

  async #ask(): Promise<void> {
    if (this.#isSilent || (await this.#answers()) || this.#isSilent) {
      return
    }
    this.#isSilent = true
    const seconds = (2 * this.terms.silentMs) / 1000
    this.terms.log.error(`The database did not answer for ${seconds} seconds: it counts as lost`)
    this.#streams.forEach((stream) => give(stream, 'The database does not answer'))
    while (!(await this.#answers())) {
      await wait(PAUSE_MS, null, { ref: false })
    }
    this.#isSilent = false
    this.terms.log.info('The database answers again')
  }

  /** Whether the database answers anything, be it a refusal. One question at a time. */
  #answers(): Promise<boolean> {
    this.#asking ??= this.#question().finally(() => (this.#asking = null))
    return this.#asking
  }

  async #question(): Promise<boolean> {
    const overtime = new AbortController()
    const late = wait(this.terms.silentMs, false, { signal: overtime.signal, ref: false })
    const told = this.terms.probe().then(
      () => true,
      (error: unknown) => !isSilence(error)
    )
    try {
      return await Promise.race([told, late])
    } finally {
      overtime.abort()
      late.catch(() => {})
    }
  }
}

function isSilence(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: string }
  // Drivers have words, and no code, for a connection that was not made in time.
  const isLate = code === 'ETIMEDOUT' || /time(d )?out/i.test(message ?? '')
  return isLate || NOBODY.has(String(code))
}

function lost(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' })
}

function give(stream: Socket, message: string): void {
  stream.destroy(lost(message))
}
