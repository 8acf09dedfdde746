import { createReadStream } from 'node:fs'
import { invalid } from '#exceptions/refusal'

/**
 * The text of a file, `-` for standard input, in chunks. What is no UTF-8 becomes U+FFFD, which the reader of
 * zone files refuses with its line, and which does no harm in a comment. Throws a `Refusal` for a file that
 * cannot be read.
 */
export async function* textOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8')
  const stream = path === '-' ? process.stdin : createReadStream(path)
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      yield decoder.decode(chunk, { stream: true })
    }
    yield decoder.decode()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw invalid(`Cannot read the file '${path}': ${code}`)
  }
}

/** The first line of standard input, without its end. */
export async function firstLine(): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) {
    parts.push(Buffer.from(part))
  }
  return Buffer.concat(parts).toString('utf8').split(/\r?\n/)[0]
}
