/** A terminal is told no more often. */
const EVERY_MS = 100

/** How far a long work is, in one line on standard error that overwrites itself; nothing where nobody looks at it. */
export class Progress {
  #printedAt = -Infinity
  #isShown = false

  constructor(private readonly stream: NodeJS.WriteStream = process.stderr) {}

  /** Tells how far it is. */
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
