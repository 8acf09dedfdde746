/**
 * Collects data in memory and writes it in the background, so that requests do not wait. Writes of one writer follow each
 * other: while the database is slow, data collects up to the bounds of the subclass.
 */
export abstract class BufferedWriter {
  #timer: NodeJS.Timeout | undefined
  /** When the timer ends. */
  #dueAt = Infinity
  #lastWrite: Promise<void> = Promise.resolve()
  /** Whether a write waits for the one before; it includes all data collected until it begins. */
  #isQueued = false

  /** Writes all collected data and removes it. Must not throw. */
  protected abstract write(): Promise<void>

  /** Writes all collected data. Resolves when it is written. Never throws. */
  flush(): Promise<void> {
    return this.writeNow()
  }

  /** As `flush`, and the only method that the timer calls. */
  protected writeNow(): Promise<void> {
    clearTimeout(this.#timer)
    this.#dueAt = Infinity
    if (!this.#isQueued) {
      this.#isQueued = true
      this.#lastWrite = this.#lastWrite.then(() => {
        this.#isQueued = false
        return this.write()
      })
    }
    return this.#lastWrite
  }

  /** Writes all collected data after so many milliseconds at the latest. */
  protected writeWithin(milliseconds: number): void {
    const dueAt = performance.now() + milliseconds
    if (dueAt < this.#dueAt && !this.#isQueued) {
      clearTimeout(this.#timer)
      this.#dueAt = dueAt
      this.#timer = setTimeout(() => void this.writeNow(), milliseconds).unref()
    }
  }
}

const writers = new Set<BufferedWriter>()

/** Registers a writer that `flushBufferedWriters` flushes at the end of the serving process. */
export function flushedAtShutdown<Writer extends BufferedWriter>(writer: Writer): Writer {
  writers.add(writer)
  return writer
}

/** Flushes the writers that this process has used. */
export async function flushBufferedWriters(): Promise<void> {
  await Promise.all([...writers].map((writer) => writer.flush()))
}
