/*
 * Reads and writes zone files (RFC 1035, section 5).
 *
 * - Reads all forms of owner, TTL and class, parentheses, quotes, escapes, `$ORIGIN`, `$TTL` (RFC 2308), `$GENERATE` (BIND)
 * and RFC 3597 data. Refuses `$INCLUDE`. The record types validate contents.
 * - Reports each fault with its line, one per record, and continues. Only exceeded limits stop it.
 * - Reads generic data (RFC 3597) for all types; `TYPEn` with the number of a known type is that type.
 * - For missing TTLs see `RecordReader`. A missing class is IN; other classes are errors.
 * - Names outside the zone are errors, or skipped with a warning (`outside: 'skip'`).
 * - Ignores a repetition of the SOA, as at the end of a transfer; a different SOA is an error.
 * - Stores comments on the lines of a record, and directly above it, up to 50 lines of 2 000 characters. Other comments and
 * those of directives are not stored.
 * - `;disabled www 300 IN A 192.0.2.1`, without a space after ";", is a disabled record.
 * - `;joined` after the strings of a text: they are the pieces of one longer string.
 * - Ignores `[AGE:123]` in front of a TTL (Windows DNS).
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
