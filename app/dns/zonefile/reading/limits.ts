/** Caps on what a reader takes; breaking one ends the reading with an error that names it. */
export interface ZoneFileLimits {
  /** Bytes of the file (UTF-8), and of what its `$GENERATE` lines grow to. */
  bytes: number
  lines: number
  records: number
  /** Characters of one line, and of one record over all its lines. */
  lineLength: number
  /** Records made by all `$GENERATE` lines together. */
  generate: number
  /** Parentheses within parentheses. */
  nesting: number
  /** Errors, and warnings, that are given; the others are counted only. Reading goes on. */
  problems: number
}

/** Room for zones of two million records; the longest content takes 263 000 characters. */
export const DEFAULT_LIMITS: Readonly<ZoneFileLimits> = {
  bytes: 256 * 1024 * 1024,
  lines: 2_500_000,
  records: 2_000_000,
  lineLength: 1024 * 1024,
  generate: 100_000,
  nesting: 8,
  problems: 100,
}
