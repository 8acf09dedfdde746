import { statSync } from 'node:fs'

/** The code of the error that says so. */
export const FILE_REPLACED = 'ZW_FILE_REPLACED'

/** So often the file is looked at, at most. */
const PAUSE_MS = 500

/**
 * Notices that another file stands where the one of an open SQLite database was, or none: what is written to a file without
 * a name is lost, and a process that opens the name reads another database.
 */
export class DatabaseFile {
  #opened: string | null = null
  #checkedAt = 0
  #isSame = true

  constructor(private readonly path: string) {}

  /** The file that has the name now is the one that was opened. */
  opened(): void {
    this.#opened = this.#identity()
    this.#isSame = true
  }

  /** Throws where the name leads to another file, or to none. */
  demandSame(now = Date.now()): void {
    if (this.#opened !== null && Math.abs(now - this.#checkedAt) >= PAUSE_MS) {
      this.#checkedAt = now
      this.#isSame = this.#identity() === this.#opened
    }
    if (!this.#isSame) {
      const error = new Error(`The database file ${this.path} was replaced or removed`)
      throw Object.assign(error, { code: FILE_REPLACED })
    }
  }

  #identity(): string | null {
    const stats = statSync(this.path, { bigint: true, throwIfNoEntry: false })
    return stats ? `${stats.dev}:${stats.ino}` : null
  }
}
