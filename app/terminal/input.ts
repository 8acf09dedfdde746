import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { lineOfBadUtf8 } from '#exceptions/not_utf8'
import { invalid } from '#exceptions/refusal'

/**
 * The text of a file, `-` for standard input, in chunks. Throws a `Refusal` for a file that cannot be read, and for one
 * that is not UTF-8, with the line, as the other channels do.
 */
export async function* textOf(path: string): AsyncGenerator<string> {
  const stream = path === '-' ? process.stdin : createReadStream(path)
  const chunks = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  const name = path === '-' ? 'standard input' : `"${basename(path).slice(0, 100)}"`
  const next = async () => {
    try {
      const { done, value } = await chunks.next()
      return done ? null : value
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      throw invalid(`Cannot read the file '${path}': ${code}`)
    }
  }
  yield* utf8Text(next, name)
}

/**
 * The text of chunks of bytes, until there is null. Throws a `Refusal` with the line for bytes that are not UTF-8.
 *
 * @param name what it is the text of
 */
export async function* utf8Text(
  next: () => Promise<Uint8Array | null>,
  name: string
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let lines = 0
  let open: Uint8Array = new Uint8Array()
  for (let chunk = await next(); ; chunk = await next()) {
    const bytes = Buffer.concat([open, chunk ?? new Uint8Array()])
    let text: string
    try {
      text = decoder.decode(chunk ?? new Uint8Array(), { stream: chunk !== null })
    } catch {
      const line = lines + (lineOfBadUtf8(bytes) ?? 1)
      throw invalid(`The file ${name} is not UTF-8 text: line ${line} has other bytes`)
    }
    yield text
    if (chunk === null) return
    for (const byte of chunk) if (byte === LINE_FEED) lines++
    open = openCharacter(bytes)
  }
}

const LINE_FEED = 0x0a

/** The bytes at the end that begin a character and do not end it. */
function openCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]
    if (byte >> 6 === 0b10) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? bytes.subarray(bytes.length - back) : new Uint8Array()
  }
  return new Uint8Array()
}

/** The first line of standard input, without its end. */
export async function firstLine(): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) {
    parts.push(Buffer.from(part))
  }
  return Buffer.concat(parts).toString('utf8').split(/\r?\n/)[0]
}
