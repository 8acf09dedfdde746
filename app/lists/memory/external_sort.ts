import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '#exceptions/refusal'
import type { RowKey } from '#lists/row_key'

/** Bytes of one read of a run. */
const BLOCK = 32 * 1024
/** Rows of one write. */
const WRITTEN = 1_000

/**
 * Maximum number of lists that this process sorts in files at once. Each needs disk space until its client received it. An
 * object, so that tests can lower it.
 */
export const PUT_ASIDE = { most: 4 }
const RETRY_AFTER_SECONDS = 30
let files = 0

type Item = [key: RowKey, packed: unknown]

/**
 * Sorted parts of a list in a temporary file. The file is deleted when it is open: it has no name, and disappears with the
 * process.
 */
export class SortedRuns {
  #file: FileHandle | null = null
  #end = 0
  readonly #runs: { from: number; to: number }[] = []

  constructor(private readonly compare: (one: RowKey, other: RowKey) => number) {}

  get isEmpty(): boolean {
    return this.#runs.length === 0
  }

  /** Writes a sorted part. Throws a 429 `Refusal` if too many lists are sorted in files. */
  async add(items: readonly Item[]): Promise<void> {
    this.#file ??= await countedFile()
    const from = this.#end
    for (let at = 0; at < items.length; at += WRITTEN) {
      const lines = items.slice(at, at + WRITTEN).map((item) => `${JSON.stringify(item)}\n`)
      const bytes = Buffer.from(lines.join(''))
      await this.#file.write(bytes, 0, bytes.length, this.#end)
      this.#end += bytes.length
    }
    this.#runs.push({ from, to: this.#end })
  }

  /** All items in order, in batches of `size`. */
  async *merged(size: number): AsyncGenerator<unknown[], void> {
    const readers: RunReader[] = []
    for (const { from, to } of this.#runs) {
      const reader = new RunReader(this.#file!, from, to)
      if (await reader.next()) this.#place(readers, reader)
    }
    let batch: unknown[] = []
    while (readers.length > 0) {
      const lowest = readers.pop()!
      batch.push(lowest.item[1])
      if (batch.length === size) {
        yield batch
        batch = []
      }
      if (lowest.hasNext || (await lowest.read())) {
        lowest.take()
        this.#place(readers, lowest)
      }
    }
    if (batch.length > 0) yield batch
  }

  async close(): Promise<void> {
    const file = this.#file
    if (!file) return
    this.#file = null
    files--
    await file.close()
  }

  /** Inserts a reader into the sorted readers; the lowest is the last. */
  #place(readers: RunReader[], reader: RunReader): void {
    let [low, high] = [0, readers.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.compare(readers[middle].item[0], reader.item[0]) > 0) low = middle + 1
      else high = middle
    }
    readers.splice(low, 0, reader)
  }
}

/** Opens a temporary file. Throws a 429 `Refusal` at the maximum. A file counts until it is closed. */
async function countedFile(): Promise<FileHandle> {
  if (files >= PUT_ASIDE.most) {
    const refusal = new Refusal(
      429,
      `The server is already sorting the maximum number of long lists (${files}): try again in a moment, or request pages`
    )
    refusal.headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) }
    throw refusal
  }
  files++
  try {
    return await namelessFile()
  } catch (error) {
    files--
    throw error
  }
}

/** Reads one part, block by block. */
class RunReader {
  item!: Item
  #lines: string[] = []
  #at = 0
  #rest: Buffer = Buffer.alloc(0)

  constructor(
    private readonly file: FileHandle,
    private position: number,
    private readonly end: number
  ) {}

  get hasNext(): boolean {
    return this.#at < this.#lines.length
  }

  /** Reads more lines; false at the end. */
  async read(): Promise<boolean> {
    while (this.position < this.end) {
      const length = Math.min(BLOCK, this.end - this.position)
      const { buffer, bytesRead } = await this.file.read(
        Buffer.allocUnsafe(length),
        0,
        length,
        this.position
      )
      if (bytesRead === 0) throw new Error('A part of a sorted list is missing')
      this.position += bytesRead
      const bytes = Buffer.concat([this.#rest, buffer.subarray(0, bytesRead)])
      const last = bytes.lastIndexOf(10)
      this.#rest = Buffer.from(bytes.subarray(last + 1))
      if (last === -1) continue
      this.#lines = bytes.toString('utf8', 0, last).split('\n')
      this.#at = 0
      return true
    }
    return false
  }

  take(): void {
    this.item = JSON.parse(this.#lines[this.#at++]) as Item
  }

  async next(): Promise<boolean> {
    if (!this.hasNext && !(await this.read())) return false
    this.take()
    return true
  }
}

async function namelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-list-'))
  try {
    return await open(join(folder, 'parts'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
