import { MAX_RDATA_OCTETS } from '#dns/rdata/character_strings'

/** Limits of a reader. An exceeded limit ends the reading with an error that names it, except `problems`. */
export interface ZoneFileLimits {
  /** Bytes of the file (UTF-8), including the expansion of its `$GENERATE` lines. */
  bytes: number
  lines: number
  records: number
  /** Characters of one line, and of one record with all its lines. */
  lineLength: number
  /** Words of one record with all its lines, including owner and type. */
  words: number
  /** Records of all `$GENERATE` lines together. */
  generate: number
  /** Depth of nested parentheses. */
  nesting: number
  /** Reported errors, and reported warnings; further ones are only counted. */
  problems: number
}

/**
 * Enough for zones of two million records. The longest content has 263 000 characters. Each word of a content is at least one
 * octet; owner, TTL, class, type and `\# length` (RFC 3597) precede it.
 */
export const DEFAULT_LIMITS: Readonly<ZoneFileLimits> = {
  bytes: 256 * 1024 * 1024,
  lines: 2_500_000,
  records: 2_000_000,
  lineLength: 1024 * 1024,
  words: MAX_RDATA_OCTETS + 6,
  generate: 100_000,
  nesting: 8,
  problems: 100,
}
