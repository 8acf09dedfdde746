/** A finding of the doctor, as far as it is printed. */
interface ReportedFinding {
  state: 'ok' | 'remark' | 'wrong'
  text: string
  remedy: string | null
}

const SIGNS = { ok: 'ok      ', remark: 'remark  ', wrong: 'WRONG   ' }

/** Findings for people: a line each, and how to mend it below. */
export function findingLines(findings: readonly ReportedFinding[]): string[] {
  const lines = findings.flatMap(({ state, text, remedy }) => [
    `${SIGNS[state]}${text}`,
    ...(remedy === null ? [] : [`        -> ${remedy}`]),
  ])
  const count = (state: ReportedFinding['state']) =>
    findings.filter((it) => it.state === state).length
  return [...lines, '', `${count('wrong')} wrong, ${count('remark')} remark(s)`]
}
