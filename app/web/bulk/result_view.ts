import type { I18n } from '@adonisjs/i18n'
import type { BulkItem, BulkResult } from '#web/bulk/bulk'
import type { PlannedZone, TranslatedText } from '#web/bulk/plans'
import type { Cut } from '#web/plans/plan_view'

/** Zones of one table. */
const MAX_ROWS = 50

/** Order of the outcomes: those that need attention first. */
const OUTCOME_ORDER = ['refused', 'failed', 'review', 'filed', 'change', 'done', 'nothing'] as const

type Outcome = (typeof OUTCOME_ORDER)[number]

/** Zones of a table, or the first of them. */
export interface ShownZones<Row> {
  rows: Row[]
  /** Number of omitted zones; null if all are displayed. */
  cut: Cut | null
}

/** Results so far, and the remaining zones. */
export interface BulkRun {
  results: BulkResult[]
  rest: BulkItem[]
  /** Fields of the form. */
  wish: Partial<Record<string, string>>
}

/** Plans of zones for the page. */
export function shownPlans(i18n: I18n, rows: PlannedZone[]): ShownZones<PlannedZone> {
  const what = ({ reason, says }: PlannedZone) => reason ?? translated(i18n, says)
  return shown(rows, (row) => `${i18n.t(`bulk.outcome_${row.outcome}`)}: ${what(row)}`)
}

/** Results of zones for the page. */
export function shownResults(i18n: I18n, rows: BulkResult[]): ShownZones<BulkResult> {
  const what = ({ reason, says }: BulkResult) => reason ?? translated(i18n, says ? [says] : [])
  return shown(rows, (row) => `${i18n.t(`bulk.result_${row.outcome}`)}: ${what(row)}`)
}

function shown<Row extends { name: { text: string }; outcome: Outcome }>(
  rows: Row[],
  words: (row: Row) => string
): ShownZones<Row> {
  const place = ({ outcome }: Row) => OUTCOME_ORDER.indexOf(outcome)
  const ordered = rows.toSorted((one, other) => place(one) - place(other))
  const text = () => ordered.map((row) => `${row.name.text}  ${words(row)}`).join('\n')
  return {
    rows: ordered.slice(0, MAX_ROWS),
    cut: rows.length > MAX_ROWS ? { shown: MAX_ROWS, total: rows.length, text: text() } : null,
  }
}

function translated(i18n: I18n, texts: TranslatedText[]): string {
  return texts.map(({ key, data }) => i18n.t(key, data)).join(' ')
}
