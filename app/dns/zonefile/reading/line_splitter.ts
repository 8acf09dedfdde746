import { LimitExceeded } from '#dns/zonefile/reading/faults'
import type { ZoneFileLimits } from '#dns/zonefile/reading/limits'

/** Splits chunks of text, of any size, into lines. Buffers only the current line. */
export class LineSplitter {
  /** Number of the last returned line. */
  line = 0
  #partialLine = ''
  #bytes = 0

  constructor(private readonly limits: ZoneFileLimits) {}

  /** Yields the lines that end in `chunk`, without their line breaks (LF or CRLF). */
  *push(chunk: string): Generator<string> {
    this.grow(Buffer.byteLength(chunk))
    let from = 0
    for (let position = chunk.indexOf('\n'); position >= 0; position = chunk.indexOf('\n', from)) {
      const line = this.#partialLine + chunk.slice(from, position)
      this.#partialLine = ''
      from = position + 1
      yield this.#completeLine(line)
    }
    this.#partialLine += chunk.slice(from)
    this.#checkLength(this.#partialLine, this.line + 1)
  }

  /** Yields the last line if the file does not end with a line break. */
  *end(): Generator<string> {
    if (this.#partialLine === '') return
    yield this.#completeLine(this.#partialLine)
    this.#partialLine = ''
  }

  /** Counts bytes of the file, or of an expanded `$GENERATE`. */
  grow(bytes: number): void {
    this.#bytes += bytes
    const { bytes: cap } = this.limits
    if (this.#bytes <= cap) return
    throw new LimitExceeded({ line: this.line + 1 }, 'bytes', cap, `more than ${cap} bytes`)
  }

  #completeLine(text: string): string {
    this.line++
    const { lines: cap } = this.limits
    if (this.line > cap) {
      throw new LimitExceeded({ line: this.line }, 'lines', cap, `more than ${cap} lines`)
    }
    this.#checkLength(text, this.line)
    const start = this.line === 1 && text.startsWith('\ufeff') ? 1 : 0
    return text.slice(start, text.endsWith('\r') ? -1 : undefined)
  }

  #checkLength(text: string, line: number): void {
    const { lineLength: cap } = this.limits
    if (text.length <= cap) return
    throw new LimitExceeded({ line }, 'lineLength', cap, `a line of more than ${cap} characters`)
  }
}
