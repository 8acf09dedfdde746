/*
 * Zone files (RFC 1035, section 5), read and written.
 *
 * Read are records with owner, TTL and class in any of the permitted forms, parentheses over lines, quotes,
 * `\DDD` and `\X`, comments, `$ORIGIN`, `$TTL` (RFC 2308), `$GENERATE` (BIND) and RFC 3597 forms. `$INCLUDE`
 * is refused. Every fault is reported with its line, one a record, and reading goes on behind it; only
 * caps end it. Which contents are taken, and what their canonical form is, the record types say.
 *
 * - Generic data (RFC 3597) are read for all types, and `TYPEn` with the number of a known type is that type.
 * - Missing TTLs: see RecordReader. Missing class: IN; others are errors.
 * - Names outside of the zone are errors, or left out with a warning (`outside: 'skip'`).
 * - The SOA again, as at the end of a transfer, is ignored; another one is an error.
 * - Comments belong to the record they stand beside (over all of its lines), or directly above, up to 50
 *   lines and 2 000 characters a line. Others, and those of directives, are not kept.
 * - `;disabled www 300 IN A 192.0.2.1`, with nothing between ";" and the word, is a disabled record.
 * - `;joined` behind the strings of a text says that they are the pieces of one longer string.
 * - `[AGE:123]` in front of a TTL (Windows DNS) is ignored.
 */
export { apexOf } from '#dns/zonefile/apex'
export { DEFAULT_LIMITS, type ZoneFileLimits } from '#dns/zonefile/reading/limits'
export { cleanComment, COMMENT_LIMIT } from '#dns/zonefile/comments'
export { recordOrder, zoneOrder, zoneOrderSteps } from '#dns/zonefile/order'
export {
  gatherZoneFile,
  parseZoneFile,
  zoneFileSteps,
  readZoneFile,
  readZoneText,
  type TextChunks,
} from '#dns/zonefile/read'
export { ZoneFileReader } from '#dns/zonefile/reading/reader'
export type {
  RecordComment,
  ZoneFileContents,
  ZoneFileItem,
  ZoneFileOptions,
  ZoneFileProblem,
  ZoneFileRecord,
} from '#dns/zonefile/types'
export { refusedRecords, writeZoneFile, type ZoneFileSource } from '#dns/zonefile/write'
