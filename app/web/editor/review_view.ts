import type { I18n } from '@adonisjs/i18n'
import type { PlannedDraft } from '#web/editor/drafts'
import type { Choice } from '#web/editor/draft_choices'
import { choiceField } from '#web/editor/draft_conflicts'
import { keyOfChange, type Conflict, type VersionRecord } from '#web/editor/draft_merge'
import { planView, type Cut, type DiffLine, type PlanView } from '#web/plans/plan_view'
import { recordText, shortened, type Draft } from '#web/editor/zone_draft'

/** A change of the draft, with a checkbox. */
export interface ReviewItem {
  index: number
  text: string
  isPicked: boolean
  /** The plan fails because of this change. */
  isProblem: boolean
}

/** The planned changes of one owner name, and the changes of the draft that cause them. */
export interface ReviewSection {
  name: string
  items: ReviewItem[]
  lines: DiffLine[]
}

/** A zone of a review. */
export type ReviewedZone = Omit<PlanView['zones'][number], 'names'> & { sections: ReviewSection[] }

/** The records of one version; `cut` is set if only the first ones are displayed. */
interface VersionView {
  lines: DiffLine[]
  cut: Cut | null
}

/** An RRset with a conflict. */
export interface ConflictView {
  field: string
  name: string
  type: string
  choices: Choice[]
  sides: ({ key: 'base' | 'mine' | 'theirs' } & VersionView)[]
}

/** Members of a record in the order of the view. */
const COMPARED_MEMBERS = [
  'name',
  'type',
  'content',
  'priority',
  'ttl',
  'disabled',
  'comment',
  'ptr',
] as const

/** Maximum lines of a large RRset. A choice applies to all of it. */
const MAX_LINES = 500

/** Describes the changes of a draft as texts. */
export function reviewItems(
  i18n: I18n,
  draft: Draft,
  selectedIndexes: Set<number>,
  problem: number | null
): (ReviewItem & { change: Draft[number] })[] {
  return draft.map((change, index) => ({
    index,
    change,
    text: changeText(i18n, change),
    isPicked: selectedIndexes.has(index),
    isProblem: index === problem,
  }))
}

/** The zones of a plan with the changes of the draft at their names; without a plan, the changes alone. */
export async function reviewedZones(
  apex: string,
  plannedDraft: PlannedDraft | null,
  items: (ReviewItem & { change: Draft[number] })[]
): Promise<ReviewedZone[]> {
  const byName = Map.groupBy(items, ({ change }) => keyOfChange(change, apex)?.name ?? apex)
  const view = plannedDraft && (await planView(plannedDraft.plan))
  const zones = view?.zones ?? []
  const ownZone = zones.find(({ name }) => name === apex) ?? nothingOf(apex)
  const otherZones = zones.filter((zone) => zone !== ownZone)
  const plannedNames = new Set(ownZone.names.map(({ name }) => name))
  const unplannedNames = [...byName.keys()].filter((name) => !plannedNames.has(name))
  const names = [...ownZone.names, ...unplannedNames.map((name) => ({ name, lines: [] }))]
  const warnings = [...new Set([...ownZone.warnings, ...(plannedDraft?.messages ?? [])])]
  return [
    {
      ...ownZone,
      warnings,
      sections: names.map(({ name, lines }) => ({ name, lines, items: byName.get(name) ?? [] })),
    },
    ...otherZones.map((zone) => ({
      ...zone,
      sections: zone.names.map(({ name, lines }) => ({ name, lines, items: [] })),
    })),
  ]
}

/** RRsets with a conflict: each version compared with the base. */
export function conflictViews(conflicts: Conflict[]): ConflictView[] {
  return conflicts.map((conflict) => {
    const { base, draftRecords, currentRecords, owner: name, type, canMerge } = conflict
    return {
      field: choiceField(conflict),
      name,
      type,
      choices: canMerge ? ['mine', 'theirs', 'both'] : ['mine', 'theirs'],
      sides: [
        { key: 'base', ...against(base, base) },
        { key: 'mine', ...against(base, draftRecords) },
        { key: 'theirs', ...against(base, currentRecords) },
      ],
    }
  })
}

function nothingOf(name: string): PlanView['zones'][number] {
  const lists = { names: [], effects: [], warnings: [] }
  return {
    name,
    ...lists,
    cut: null,
    rrsets: 0,
    serialBefore: null,
    serialAfter: null,
    needsReview: false,
  }
}

function changeText(i18n: I18n, change: Draft[number]): string {
  const record = recordText(change)
  if (change.action !== 'update') {
    return i18n.t(`plan.item_${change.action}`, { record })
  }
  const values = COMPARED_MEMBERS.flatMap((field) => {
    const value = change[field]
    const isSame = field !== 'ptr' && change.was !== undefined && change.was[field] === value
    if (value === undefined || isSame) return []
    const label = i18n.t(`plan.field_${field}`)
    const text =
      typeof value === 'boolean' ? i18n.t(`plan.${value ? 'on' : 'off'}`) : valueText(field, value)
    return [text === '' ? i18n.t('plan.ends', { label }) : `${label} ${text}`]
  })
  return i18n.t('plan.item_update', { record, values: values.join(', ') })
}

/** Contents are shortened, because the lines below show them in full. Other values may be shown only here. */
function valueText(field: (typeof COMPARED_MEMBERS)[number], value: string | number): string {
  return field === 'content' ? shortened(String(value)) : String(value)
}

/** Returns the difference between the versions: removed, added, then common records. */
function against(base: VersionRecord[], otherRecords: VersionRecord[]): VersionView {
  const [before, after] = [base.map(sideText), otherRecords.map(sideText)]
  const [was, becomes] = [new Set(before), new Set(after)]
  const line = (sign: DiffLine['sign']) => (text: string) => ({ sign, text })
  const all = [
    ...before.filter((text) => !becomes.has(text)).map(line('-')),
    ...after.filter((text) => !was.has(text)).map(line('+')),
    ...after.filter((text) => was.has(text)).map(line(' ')),
  ]
  const text = () => all.map((one) => `${one.sign} ${one.text}`).join('\n')
  return {
    lines: all.slice(0, MAX_LINES),
    cut: all.length > MAX_LINES ? { shown: MAX_LINES, total: all.length, text: text() } : null,
  }
}

function sideText({ content, priority, ttl, disabled, comment }: VersionRecord): string {
  const commentText = comment === '' ? '' : ` ; ${comment}`
  const text = `${ttl} ${priority > 0 ? `${priority} ` : ''}${content}${commentText}`
  return disabled ? `; ${text}` : text
}
