import { csvLayout } from '#dns/paste/csv_layout'
import { csvSteps } from '#dns/paste/csv_records'
import { finished } from '#dns/steps'
import { zoneFileSteps, type ZoneFileContents } from '#dns/zonefile/index'

/** Formats of a text with records: a zone file, output of `dig`, or a table. */
export const TEXT_FORMATS = ['zone', 'dig', 'csv'] as const

export type TextFormat = (typeof TEXT_FORMATS)[number]

/** Lines that `dig` writes before answers, with any options. */
const DIG_OUTPUT =
  /^;(?: <<>> DiG |; (?:->>HEADER<<-|global options:|Got answer:|(?:QUESTION|ANSWER|AUTHORITY|ADDITIONAL) SECTION:|Query time:|XFR size:|SERVER: ))/m

/** Detects the format of a text; the default is a zone file. */
export function formatOf(text: string): TextFormat {
  if (DIG_OUTPUT.test(text)) {
    return 'dig'
  }
  return csvLayout(text) ? 'csv' : 'zone'
}

/**
 * Parses the records of a text; the result contains all problems. In `dig` output, records outside
 * of the zone are skipped with a warning, and comments are not stored.
 *
 * @param origin canonical name of the zone
 * @param defaultTtl seconds, for table rows without a TTL
 */
export function readRecords(text: string, options: ReadOptions): ZoneFileContents {
  return finished(readSteps(text, options))
}

interface ReadOptions {
  format: TextFormat
  origin: string
  defaultTtl: number
}

/** As `readRecords`, in steps of bounded length. */
export function* readSteps(
  text: string,
  { format, origin, defaultTtl }: ReadOptions
): Generator<undefined, ZoneFileContents> {
  switch (format) {
    case 'csv':
      return { ...(yield* csvSteps(text, origin, defaultTtl)), hasNoComments: true }
    case 'dig':
      return {
        ...(yield* zoneFileSteps(text, { origin, outside: 'skip', isTransfer: true })),
        hasNoComments: true,
      }
    case 'zone':
      return yield* zoneFileSteps(text, { origin })
  }
}
