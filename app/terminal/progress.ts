/** Minimum time between two updates. */
const EVERY_MS = 100

/** Progress of a long operation, in one overwritten line on standard error; none if that is no terminal. */
export class Progress {
  #printedAt = -Infinity
  #isShown = false

  constructor(private readonly stream: NodeJS.WriteStream = process.stderr) {}

  /** Shows the progress. */
  print(text: string): void {
    const now = performance.now()
    if (this.stream.isTTY && now - this.#printedAt >= EVERY_MS) {
      this.#printedAt = now
      this.#isShown = true
      this.stream.write(`\r\u001b[K${text}`)
    }
  }

  /** Clears the line. */
  end(): void {
    if (this.#isShown) {
      this.stream.write('\r\u001b[K')
    }
  }
}
