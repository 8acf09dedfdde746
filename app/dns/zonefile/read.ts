import { Gatherer } from '#dns/zonefile/gatherer'
import { ZoneFileReader } from '#dns/zonefile/reader'
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
  const gatherer = new Gatherer(options.origin, options.limits?.problems)
  for (const item of readZoneText([text], options)) gatherer.add(item)
  return gatherer.result()
}

/** As parseZoneFile(), for a file that comes in chunks. */
export async function gatherZoneFile(
  chunks: TextChunks,
  options: ZoneFileOptions
): Promise<ZoneFileContents> {
  const gatherer = new Gatherer(options.origin, options.limits?.problems)
  for await (const item of readZoneFile(chunks, options)) gatherer.add(item)
  return gatherer.result()
}
