import { MAX_RDATA_OCTETS } from '#dns/rdata/character_strings'

/** Caps on what a reader takes; breaking one ends the reading with an error that names it. */
export interface ZoneFileLimits {
  /** Bytes of the file (UTF-8), and of what its `$GENERATE` lines grow to. */
  bytes: number
  lines: number
  records: number
  /** Characters of one line, and of one record over all its lines. */
  lineLength: number
  /** Words of one record over all its lines, owner and type included. */
  words: number
  /** Records made by all `$GENERATE` lines together. */
  generate: number
  /** Parentheses within parentheses. */
  nesting: number
  /** Errors, and warnings, that are given; the others are counted only. Reading goes on. */
  problems: number
}

/**
 * Room for zones of two million records; the longest content takes 263 000 characters. Each word of a content is at least
 * one octet; owner, TTL, class, type and `\# length` (RFC 3597) are in front of it.
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
