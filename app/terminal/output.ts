import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { invalid } from '#exceptions/refusal'

/** Writes text to standard output and waits until it is out; a reader that goes away is no error. */
export async function print(chunks: Iterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(chunks), process.stdout, { end: false })
  } catch (error) {
    if (codeOf(error) !== 'EPIPE') throw error
  }
}

/** Writes lines to standard output. */
export function printLines(lines: string[]): Promise<void> {
  return print(lines.map((line) => `${line}\n`))
}

/** Writes an object to standard output, as indented JSON. */
export function printJson(value: object): Promise<void> {
  return print([`${JSON.stringify(value, null, 2)}\n`])
}

/** Writes text to a file. Throws a `Refusal` with the reason. */
export async function writeFile(path: string, chunks: Iterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(chunks), createWriteStream(path))
  } catch (error) {
    throw invalid(`Cannot write the file '${path}': ${codeOf(error)}`)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
