import { BLOCK_LIMIT } from '#dns/zonefile/comments'

/** The comment lines directly above the next entry. */
export class CommentBlock {
  #lines: string[] = []
  #start = 0
  #count = 0

  add(text: string, line: number): void {
    if (this.#count++ === 0) this.#start = line
    if (this.#count <= BLOCK_LIMIT) this.#lines.push(text)
  }

  /** First line of the block if it is too long to belong to a record; otherwise undefined. */
  get tooLongSince(): number | undefined {
    return this.#count > BLOCK_LIMIT ? this.#start : undefined
  }

  /** Returns the lines and clears the block; no lines if it is too long. */
  take(): string[] {
    if (this.#count === 0) return this.#lines
    const lines = this.#count > BLOCK_LIMIT ? [] : this.#lines
    this.#lines = []
    this.#count = 0
    return lines
  }
}
