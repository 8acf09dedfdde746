import type { TextFormat } from '#dns/paste/read_records'
import type { FileProblem } from '#zones/zone_file/import_error'
import { ZoneFileRefused } from '#zones/zone_file/import_error'
import type { ZoneFileContents } from '#dns/zonefile/index'

/** An error or a warning with the line that it is about. */
export interface ShownProblem extends FileProblem {
  /** The line, cut where it is long. */
  text: string
}

/** The parsed parts of a text. */
export interface ImportPreview {
  format: TextFormat
  /** Name of the file; '' for pasted text. */
  file: string
  records: number
  rrsets: number
  warnings: ShownProblem[]
}

const MAX_LINE_CHARACTERS = 300

/** Problems with the lines that they are about. */
export function shownProblems(text: string, problems: readonly FileProblem[]): ShownProblem[] {
  const lines = text.split('\n')
  return problems.map((problem) => {
    const line = lines.at(problem.line - 1) ?? ''
    return {
      ...problem,
      // Problems of the text itself have no field.
      message: problem.message.replace("Field 'syntax': ", ''),
      text: line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}…` : line,
    }
  })
}

/** Problems of a text that was refused because of them; else null. */
export function problemsOf(error: unknown, text: string): ShownProblem[] | null {
  if (!(error instanceof ZoneFileRefused)) {
    return null
  }
  const { problems } = error.data as { problems: FileProblem[] }
  return shownProblems(text, problems)
}

/** Returns a preview of a parsed text. */
export function importPreview(
  text: string,
  { format, file }: { format: TextFormat; file: string },
  { records, rrsets, problems }: ZoneFileContents
): ImportPreview {
  const warnings = problems.filter(({ severity }) => severity === 'warning')
  return {
    format,
    file,
    records: records.length,
    rrsets: rrsets.length,
    warnings: shownProblems(text, warnings),
  }
}
