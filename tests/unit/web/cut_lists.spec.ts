import type { I18n } from '@adonisjs/i18n'
import { test } from '@japa/runner'
import type { BulkResult } from '#web/bulk/bulk'
import type { PlannedZone } from '#web/bulk/plans'
import { shownPlans, shownResults } from '#web/bulk/result_view'
import type { Conflict, VersionRecord as SideRecord } from '#web/editor/draft_merge'
import { conflictViews } from '#web/editor/review_view'
import { displayName } from '#web/page/display_name'

/** Returns the key of each text. */
const i18n = { t: (key: string) => key } as unknown as I18n

function planned(index: number, outcome: PlannedZone['outcome']): PlannedZone {
  const says = [{ key: 'bulk.goes' }]
  const reason = outcome === 'refused' ? 'It is not yours' : null
  const name = displayName(`z${index}.test`)
  return { id: index, name, outcome, says, reason, names: [], cut: null, token: '-' }
}

test.group('Truncated lists', () => {
  test('a plan of many zones shows refused ones first, and has all as text', ({ assert }) => {
    const outcome = (index: number) => (index === 59 ? 'refused' : 'change')
    const rows = Array.from({ length: 60 }, (_, index) => planned(index, outcome(index)))
    const { rows: shown, cut } = shownPlans(i18n, rows)
    assert.deepEqual([shown.length, shown[0].name.text], [50, 'z59.test'])
    assert.deepEqual([cut?.shown, cut?.total], [50, 60])
    const lines = cut?.text.split('\n') ?? []
    assert.lengthOf(lines, 60)
    assert.equal(lines[0], 'z59.test  bulk.outcome_refused: It is not yours')
    assert.isNull(shownPlans(i18n, rows.slice(0, 50)).cut)
  })

  test('results of many zones show refused ones first, and have all as text', ({ assert }) => {
    const results = Array.from({ length: 51 }, (_, id): BulkResult => {
      const says = { key: 'bulk.done_delete' }
      return { id, name: displayName(`z${id}.test`), outcome: 'done', says, reason: null }
    })
    results.push({ ...results[0], outcome: 'failed', says: null, reason: 'why' })
    const { rows, cut } = shownResults(i18n, results)
    assert.equal(rows[0].outcome, 'failed')
    assert.match(cut?.text ?? '', /^z0\.test {2}bulk\.result_failed: why\n/)
    assert.include(cut?.text, 'z50.test  bulk.result_done: bulk.done_delete')
  })

  test('a side of a conflict has the rest of a large RRset as text', ({ assert }) => {
    const record = (index: number): SideRecord => ({
      content: `192.0.2.${index}`,
      priority: 0,
      ttl: 300,
      disabled: false,
      comment: '',
    })
    const records = Array.from({ length: 501 }, (_, index) => record(index))
    const sides = { base: records.slice(0, 1), mine: records, theirs: [] }
    const rrsetName = { owner: 'www.a.test', name: 'www.a.test', relative: 'www', type: 'A' }
    const conflict: Conflict = { ...rrsetName, changes: [], canMerge: true, ...sides }
    const [{ sides: shown }] = conflictViews([conflict])
    const [base, mine] = shown
    assert.isNull(base.cut)
    assert.deepEqual([mine.lines.length, mine.cut?.total], [500, 501])
    assert.lengthOf(mine.cut?.text.split('\n') ?? [], 501)
  })
})
