import { finished } from '#dns/steps'
import { Gatherer } from '#dns/zonefile/reading/gatherer'
import { ZoneFileReader } from '#dns/zonefile/reading/reader'
import type { ZoneFileContents, ZoneFileItem, ZoneFileOptions } from '#dns/zonefile/types'

/** Text in pieces of any size, cut anywhere, line breaks included. */
export type TextChunks = Iterable<string> | AsyncIterable<string>

/**
 * Reads a zone file as it comes, and gives its records and problems in their order. It holds one record of
 * the file at a time, and takes no more chunks once a cap is broken. A caller that finds an error should
 * use nothing of the file.
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

/** As readZoneFile(), for text that is at hand. */
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
 * A whole zone file. Records of a set with different TTLs get the lowest, and a record that is there twice
 * is kept once; both with a warning.
 */
export function parseZoneFile(text: string, options: ZoneFileOptions): ZoneFileContents {
  return finished(zoneFileSteps(text, options))
}

/** As parseZoneFile(), in steps of bounded length. */
export function* zoneFileSteps(
  text: string,
  options: ZoneFileOptions
): Generator<undefined, ZoneFileContents> {
  const gatherer = new Gatherer(options.origin, options.limits?.problems)
  const reader = new ZoneFileReader(options)
  for (const piece of pieces(text)) {
    yield* addSteps(gatherer, reader.push(piece))
    if (reader.ended) break
  }
  yield* addSteps(gatherer, reader.end())
  return yield* gatherer.steps()
}

/** As parseZoneFile(), for a file that comes in chunks. */
export async function gatherZoneFile(
  chunks: TextChunks,
  options: ZoneFileOptions
): Promise<ZoneFileContents> {
  const gatherer = new Gatherer(options.origin, options.limits?.problems)
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

function* addSteps(gatherer: Gatherer, items: Iterable<ZoneFileItem>): Generator<undefined, void> {
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
    const due = yieldIfDue?.()
    if (due) await due
  }
}

/** Characters that are read between two pauses: faults past their cap give no items. */
const PIECE = 4_096

function* pieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE)
}
