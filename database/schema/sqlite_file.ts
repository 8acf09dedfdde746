import { statSync } from 'node:fs'

/** Error code: the path of the open database has another file or none. */
export const FILE_REPLACED = 'ZW_FILE_REPLACED'

/** Minimum time between two checks. */
const CHECK_MS = 500

/**
 * Detects that the file of an open SQLite database was replaced or deleted. Writes to a deleted file are lost, and other
 * processes open another file.
 */
export class DatabaseFile {
  #openedIdentity: string | null = null
  #checkedAt = 0
  #isUnchanged = true

  constructor(private readonly path: string) {}

  /** Must be called when a connection opens the file. */
  opened(): void {
    this.#openedIdentity = this.#identity()
    this.#isUnchanged = true
  }

  /** Throws `FILE_REPLACED` if the path has another file, or none. */
  demandSame(now = Date.now()): void {
    if (this.#openedIdentity !== null && Math.abs(now - this.#checkedAt) >= CHECK_MS) {
      this.#checkedAt = now
      this.#isUnchanged = this.#identity() === this.#openedIdentity
    }
    if (!this.#isUnchanged) {
      const error = new Error(`The database file ${this.path} was replaced or removed`)
      throw Object.assign(error, { code: FILE_REPLACED })
    }
  }

  #identity(): string | null {
    const stats = statSync(this.path, { bigint: true, throwIfNoEntry: false })
    return stats ? `${stats.dev}:${stats.ino}` : null
  }
}
