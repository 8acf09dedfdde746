import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '#exceptions/refusal'
import type { RowKey } from '#lists/row_key'

/** Bytes of one read of a run. */
const READ_BLOCK_BYTES = 32 * 1024
/** Rows of one write. */
const WRITE_BATCH_SIZE = 1_000

/**
 * Maximum number of lists that this process sorts in files at once. Each needs disk space until its client received it. An
 * object, so that tests can lower it.
 */
export const MAX_SORT_FILES = { count: 4 }
const RETRY_AFTER_SECONDS = 30
let openFileCount = 0

type SortItem = [key: RowKey, packed: unknown]

/**
 * Sorted parts of a list in a temporary file. The file is deleted when it is open: it has no name, and disappears with the
 * process.
 */
export class SortedRuns {
  #file: FileHandle | null = null
  #fileSize = 0
  readonly #runs: { from: number; to: number }[] = []

  constructor(private readonly compare: (one: RowKey, other: RowKey) => number) {}

  get isEmpty(): boolean {
    return this.#runs.length === 0
  }

  /** Writes a sorted part. Throws a 429 `Refusal` if too many lists are sorted in files. */
  async add(items: readonly SortItem[]): Promise<void> {
    this.#file ??= await openSortFile()
    const from = this.#fileSize
    for (let at = 0; at < items.length; at += WRITE_BATCH_SIZE) {
      const lines = items
        .slice(at, at + WRITE_BATCH_SIZE)
        .map((item) => `${JSON.stringify(item)}\n`)
      const bytes = Buffer.from(lines.join(''))
      await this.#file.write(bytes, 0, bytes.length, this.#fileSize)
      this.#fileSize += bytes.length
    }
    this.#runs.push({ from, to: this.#fileSize })
  }

  /** All items in order, in batches of `size`. */
  async *merged(size: number): AsyncGenerator<unknown[], void> {
    const readers: RunReader[] = []
    for (const { from, to } of this.#runs) {
      const reader = new RunReader(this.#file!, from, to)
      if (await reader.next()) this.#insertReader(readers, reader)
    }
    let batch: unknown[] = []
    while (readers.length > 0) {
      const lowestReader = readers.pop()!
      batch.push(lowestReader.item[1])
      if (batch.length === size) {
        yield batch
        batch = []
      }
      if (lowestReader.hasNext || (await lowestReader.read())) {
        lowestReader.parseNextItem()
        this.#insertReader(readers, lowestReader)
      }
    }
    if (batch.length > 0) yield batch
  }

  async close(): Promise<void> {
    const file = this.#file
    if (!file) return
    this.#file = null
    openFileCount--
    await file.close()
  }

  /** Inserts a reader into the sorted readers; the lowest is the last. */
  #insertReader(readers: RunReader[], reader: RunReader): void {
    let [low, high] = [0, readers.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.compare(readers[middle].item[0], reader.item[0]) > 0) low = middle + 1
      else high = middle
    }
    readers.splice(low, 0, reader)
  }
}

/** Opens a temporary file. Throws a 429 `Refusal` at the maximum of open files. */
async function openSortFile(): Promise<FileHandle> {
  if (openFileCount >= MAX_SORT_FILES.count) {
    const refusal = new Refusal(
      429,
      `The server is already sorting the maximum number of long lists (${openFileCount}): try again in a moment, or request pages`
    )
    refusal.headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) }
    throw refusal
  }
  openFileCount++
  try {
    return await openUnlinkedFile()
  } catch (error) {
    openFileCount--
    throw error
  }
}

/** Reads one part, block by block. */
class RunReader {
  item!: SortItem
  #lines: string[] = []
  #lineIndex = 0
  #partialLine: Buffer = Buffer.alloc(0)

  constructor(
    private readonly file: FileHandle,
    private position: number,
    private readonly end: number
  ) {}

  get hasNext(): boolean {
    return this.#lineIndex < this.#lines.length
  }

  /** Reads more lines; false at the end. */
  async read(): Promise<boolean> {
    while (this.position < this.end) {
      const length = Math.min(READ_BLOCK_BYTES, this.end - this.position)
      const { buffer, bytesRead } = await this.file.read(
        Buffer.allocUnsafe(length),
        0,
        length,
        this.position
      )
      if (bytesRead === 0) throw new Error('A part of a sorted list is missing')
      this.position += bytesRead
      const bytes = Buffer.concat([this.#partialLine, buffer.subarray(0, bytesRead)])
      const lastLineBreak = bytes.lastIndexOf(10)
      this.#partialLine = Buffer.from(bytes.subarray(lastLineBreak + 1))
      if (lastLineBreak === -1) continue
      this.#lines = bytes.toString('utf8', 0, lastLineBreak).split('\n')
      this.#lineIndex = 0
      return true
    }
    return false
  }

  parseNextItem(): void {
    this.item = JSON.parse(this.#lines[this.#lineIndex++]) as SortItem
  }

  async next(): Promise<boolean> {
    if (!this.hasNext && !(await this.read())) return false
    this.parseNextItem()
    return true
  }
}

async function openUnlinkedFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-list-'))
  try {
    return await open(join(folder, 'parts'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
