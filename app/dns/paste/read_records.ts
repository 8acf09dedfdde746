import { csvLayout } from '#dns/paste/csv_layout'
import { csvSteps } from '#dns/paste/csv_records'
import { finished } from '#dns/steps'
import { zoneFileSteps, type ZoneFileContents } from '#dns/zonefile/index'
import { tellsOfBrokenTransfer } from '#dns/zonefile/comments'

/** What a text with records may be: a zone file, what `dig` prints, or a table. */
export const TEXT_FORMATS = ['zone', 'dig', 'csv'] as const

export type TextFormat = (typeof TEXT_FORMATS)[number]

/** What `dig` writes in front of answers, whatever its options leave of it. */
const OF_DIG =
  /^;(?: <<>> DiG |; (?:->>HEADER<<-|global options:|Got answer:|(?:QUESTION|ANSWER|AUTHORITY|ADDITIONAL) SECTION:|Query time:|XFR size:|SERVER: ))/m

/** What a text is: what is neither of `dig` nor a table counts as a zone file. */
export function formatOf(text: string): TextFormat {
  if (OF_DIG.test(text)) {
    return 'dig'
  }
  return csvLayout(text) ? 'csv' : 'zone'
}

/**
 * The records of a text in that format, with all that is wrong in it. In the answers of `dig`, records outside of the zone
 * are left out with a warning, and its comments are not taken for those of records.
 *
 * @param origin     canonical name of the zone
 * @param defaultTtl seconds, for rows of tables without a TTL
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
      return { ...(yield* csvSteps(text, origin, defaultTtl)), isWithoutNotes: true }
    case 'dig':
      return {
        ...(yield* zoneFileSteps(withoutComments(text), { origin, outside: 'skip' })),
        isWithoutNotes: true,
      }
    case 'zone':
      return yield* zoneFileSteps(text, { origin })
  }
}

/** The lines that are comments made empty, so that all others keep their numbers. */
function withoutComments(text: string): string {
  return text
    .split('\n')
    .map((line) => (line.startsWith(';') && !tellsOfBrokenTransfer(line.slice(1)) ? '' : line))
    .join('\n')
}
