import { finished } from '#dns/steps'
import { RRsetCollector } from '#dns/zonefile/reading/gatherer'
import { ZoneFileReader } from '#dns/zonefile/reading/reader'
import type { ZoneFileContents, ZoneFileItem, ZoneFileOptions } from '#dns/zonefile/types'

/** Text in chunks of any size, split anywhere, even within a line break. */
export type TextChunks = Iterable<string> | AsyncIterable<string>

/**
 * Reads a zone file as a stream; yields records and problems in order. Buffers one record, and stops reading at an exceeded
 * limit. After an error, the caller should discard all records.
 */
export async function* readZoneFile(
  chunks: TextChunks,
  options: ZoneFileOptions
): AsyncGenerator<ZoneFileItem> {
  const reader = new ZoneFileReader(options)
  for await (const chunk of chunks) {
    for (const item of reader.push(chunk)) yield item
    if (reader.ended) break
  }
  for (const item of reader.end()) yield item
}

/** As `readZoneFile`, without promises. */
export function* readZoneText(
  chunks: Iterable<string>,
  options: ZoneFileOptions
): Generator<ZoneFileItem> {
  const reader = new ZoneFileReader(options)
  for (const chunk of chunks) {
    yield* reader.push(chunk)
    if (reader.ended) break
  }
  yield* reader.end()
}

/**
 * Parses a whole zone file. An RRset with different TTLs gets the lowest one, and a duplicate record is dropped; both cause a
 * warning.
 */
export function parseZoneFile(text: string, options: ZoneFileOptions): ZoneFileContents {
  return finished(zoneFileSteps(text, options))
}

/** As `parseZoneFile`, in steps of bounded length. */
export function* zoneFileSteps(
  text: string,
  options: ZoneFileOptions
): Generator<undefined, ZoneFileContents> {
  const gatherer = new RRsetCollector(options.origin, options.limits?.problems)
  const reader = new ZoneFileReader(options)
  for (const piece of pieces(text)) {
    yield* addSteps(gatherer, reader.push(piece))
    if (reader.ended) break
  }
  yield* addSteps(gatherer, reader.end())
  return yield* gatherer.steps()
}

/** As `parseZoneFile`, for a file in chunks. */
export async function gatherZoneFile(
  chunks: TextChunks,
  options: ZoneFileOptions
): Promise<ZoneFileContents> {
  const gatherer = new RRsetCollector(options.origin, options.limits?.problems)
  const reader = new ZoneFileReader(options)
  for await (const chunk of chunks) {
    for (const piece of pieces(chunk)) {
      await runSteps(addSteps(gatherer, reader.push(piece)), options)
    }
    if (reader.ended) break
  }
  await runSteps(addSteps(gatherer, reader.end()), options)
  return runSteps(gatherer.steps(), options)
}

function* addSteps(
  gatherer: RRsetCollector,
  items: Iterable<ZoneFileItem>
): Generator<undefined, void> {
  for (const item of items) {
    gatherer.add(item)
    yield
  }
  yield
}

async function runSteps<T>(
  steps: Generator<undefined, T>,
  { yieldIfDue }: ZoneFileOptions
): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    const pause = yieldIfDue?.()
    if (pause) await pause
  }
}

/** Maximum characters between two pauses: faults beyond the limit yield no items, so items alone are not enough pauses. */
const PIECE_CHARACTERS = 4_096

function* pieces(text: string): Generator<string> {
  for (let position = 0; position < text.length; position += PIECE_CHARACTERS)
    yield text.slice(position, position + PIECE_CHARACTERS)
}
