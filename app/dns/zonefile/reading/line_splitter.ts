import { LimitBroken } from '#dns/zonefile/reading/faults'
import type { ZoneFileLimits } from '#dns/zonefile/reading/limits'

/** Cuts chunks of text, of any size, into lines; keeps no more than the line that is not ended yet. */
export class LineSplitter {
  /** Number of the line that was given last. */
  line = 0
  #rest = ''
  #bytes = 0

  constructor(private readonly limits: ZoneFileLimits) {}

  /** The lines that end in `chunk`, without their "\n" or "\r\n". */
  *push(chunk: string): Generator<string> {
    this.grow(Buffer.byteLength(chunk))
    let from = 0
    for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', from)) {
      const line = this.#rest + chunk.slice(from, at)
      this.#rest = ''
      from = at + 1
      yield this.#given(line)
    }
    this.#rest += chunk.slice(from)
    this.#checkLength(this.#rest, this.line + 1)
  }

  /** The last line, when the file does not end in a line break. */
  *end(): Generator<string> {
    if (this.#rest === '') return
    yield this.#given(this.#rest)
    this.#rest = ''
  }

  /** Counts bytes that are read, or that a `$GENERATE` made. */
  grow(bytes: number): void {
    this.#bytes += bytes
    const { bytes: cap } = this.limits
    if (this.#bytes <= cap) return
    throw new LimitBroken({ line: this.line + 1 }, 'bytes', cap, `more than ${cap} bytes`)
  }

  #given(text: string): string {
    this.line++
    const { lines: cap } = this.limits
    if (this.line > cap) {
      throw new LimitBroken({ line: this.line }, 'lines', cap, `more than ${cap} lines`)
    }
    this.#checkLength(text, this.line)
    const start = this.line === 1 && text.startsWith('\ufeff') ? 1 : 0
    return text.slice(start, text.endsWith('\r') ? -1 : undefined)
  }

  #checkLength(text: string, line: number): void {
    const { lineLength: cap } = this.limits
    if (text.length <= cap) return
    throw new LimitBroken({ line }, 'lineLength', cap, `a line of more than ${cap} characters`)
  }
}
