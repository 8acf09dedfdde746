import { flatMapYielding, runYielding } from '#database/event_loop'
import { effectsOf, type Effect } from '#dns/effects'
import type { Violation } from '#dns/rules/violation'
import { changesCommentsOnly, commentChangeFinder } from '#dns/record_comments'
import type { CommentChange, RRset, RRsetChange } from '#dns/types'
import { finished } from '#dns/steps'
import { writeZoneFile, type RecordComment } from '#dns/zonefile/index'
import type { ChangePlan, ZonePlan } from '#changes/model/zone_plan'

/** A line of a difference. */
export interface DiffLine {
  sign: '+' | '-' | ' '
  text: string
}

/** Changes of the RRsets of one owner name. */
export interface NameDiff {
  name: string
  lines: DiffLine[]
}

/** A shortened list: the number of displayed items, and the full list as text. */
export interface Cut {
  shown: number
  total: number
  text: string
}

/** Changes of RRsets, or the first of them. */
export interface ShownDiffs {
  names: NameDiff[]
  /** Number of displayed RRsets; null if all are displayed. */
  cut: Cut | null
}

/** A change plan for display. */
export interface PlanView {
  hash: string
  zones: {
    name: string
    names: NameDiff[]
    rrsets: number
    /** Changed answers of the name server; pages format them by `effectText`. */
    effects: Effect[]
    warnings: string[]
    cut: Cut | null
    serialBefore: number | null
    serialAfter: number | null
    needsReview: boolean
  }[]
  isEmpty: boolean
  /** Only comments on records change. */
  isOfComments: boolean
}

/** Limits of a displayed difference: its lines, and the approximate characters of the full text. */
export interface DisplayLimits {
  lines?: number
  characters?: number
}

/** Maximum lines of a difference. An object, so that tests can lower it. */
export const MAX_SHOWN = { lines: 1_000 }
/** Approximate maximum characters of the text of changes that are not displayed. */
export const MAX_TEXT = 1_048_576

/** A plan without the warnings that the page shows elsewhere. */
export function withoutWarnings(plan: PlanView, shownElsewhere: ReadonlySet<string>): PlanView {
  const zones = plan.zones.map((zone) => ({
    ...zone,
    warnings: zone.warnings.filter((message) => !shownElsewhere.has(message)),
  }))
  return { ...plan, zones }
}

/** A plan for the page that asks for confirmation. Yields to other requests; `room` as for `shownDiffs`. */
export async function planView(
  { hash, zones }: ChangePlan,
  limits: DisplayLimits = {}
): Promise<PlanView> {
  const views: PlanView['zones'] = []
  for (const plan of zones) {
    views.push({
      name: plan.zoneName,
      ...(await shownDiffs(plan.zoneName, plan.changes, limits)),
      rrsets: plan.changes.length,
      effects: await flatMapYielding(plan.changes, (change) => effectsOf(plan.zoneName, [change])),
      warnings: sentences(plan.warnings),
      serialBefore: plan.serialBefore,
      serialAfter: plan.serialAfter,
      needsReview: plan.needsReview === true,
    })
  }
  return {
    hash,
    zones: views,
    isEmpty: zones.every(({ changes, properties }) => changes.length === 0 && !properties),
    isOfComments: isOfComments(zones),
  }
}

/**
 * Changes of RRsets as lines of a zone file, by owner name. Yields to other requests.
 *
 * @param more.lines maximum number of displayed lines
 * @param more.total number of RRsets, if `changes` has the first of them only
 * @param more.withText whether to return all lines as text if they are truncated
 * @param more.characters approximate maximum of that text
 */
export function shownDiffs(
  apex: string,
  changes: RRsetChange[],
  options: DiffOptions = {}
): Promise<ShownDiffs> {
  return runYielding(shownSteps(apex, changes, options))
}

/** All lines of the change of one RRset. */
export function linesOfChange(apex: string, change: RRsetChange): DiffLine[] {
  return finished(diffLines(apex, change))
}

type DiffOptions = DisplayLimits & { total?: number; withText?: boolean }

function* shownSteps(
  apex: string,
  changes: RRsetChange[],
  {
    lines: maxLines = MAX_SHOWN.lines,
    characters = MAX_TEXT,
    total = changes.length,
    withText = true,
  }: DiffOptions
): Generator<undefined, ShownDiffs> {
  const ordered = [...Map.groupBy(changes, ({ name }) => name).values()].flat()
  const names = new Map<string, DiffLine[]>()
  let limits = maxLines
  let shown = 0
  for (const change of ordered) {
    if (limits <= 0) break
    yield
    const all = yield* diffLines(apex, change)
    const lines = all.slice(0, limits)
    limits -= lines.length
    if (lines.length === all.length) shown += 1
    if (lines.length > 0) names.set(change.name, [...(names.get(change.name) ?? []), ...lines])
  }
  return {
    names: [...names].map(([name, lines]) => ({ name, lines })),
    cut:
      shown === total
        ? null
        : { shown, total, text: withText ? yield* diffText(apex, ordered, total, characters) : '' },
  }
}

/** Returns changes as text; very large changes are cut, with the number of the other RRsets. */
function* diffText(
  apex: string,
  changes: RRsetChange[],
  total: number,
  maxCharacters: number
): Generator<undefined, string> {
  const parts: string[] = []
  let limits = maxCharacters
  for (const change of changes) {
    if (limits <= 0) break
    yield
    const lines = yield* diffLines(apex, change)
    const text = lines.map((line) => `${line.sign} ${line.text}\n`).join('')
    parts.push(text)
    limits -= text.length
  }
  const omitted = total - parts.length
  return [...parts, ...(omitted > 0 ? [`; and ${omitted} more RRsets\n`] : [])].join('')
}

/** Yields removed lines, then added ones, then unchanged ones of the RRset. */
function* diffLines(
  apex: string,
  { before, after, comments }: RRsetChange
): Generator<undefined, DiffLine[]> {
  const old = yield* linesOf(apex, before, commentsOf(before, comments, 'before'))
  const wanted = yield* linesOf(apex, after, commentsOf(after, comments, 'after'))
  const [was, becomes] = [new Set(old), new Set(wanted)]
  const line = (sign: DiffLine['sign']) => (text: string) => ({ sign, text })
  return [
    ...old.filter((text) => !becomes.has(text)).map(line('-')),
    ...wanted.filter((text) => !was.has(text)).map(line('+')),
    ...wanted.filter((text) => was.has(text)).map(line(' ')),
  ]
}

/** The comments of records of an RRset, of changed ones only. */
function commentsOf(
  rrset: RRset | null,
  comments: CommentChange[] | undefined,
  side: 'before' | 'after'
): RecordComment[] {
  if (!rrset || !comments) {
    return []
  }
  const findCommentChange = commentChangeFinder(rrset.type, comments)
  return rrset.records.flatMap((record) => {
    const comment = findCommentChange(record)?.[side]
    return comment ? [{ name: rrset.name, type: rrset.type, ...record, ...comment }] : []
  })
}

function* linesOf(
  apex: string,
  rrset: RRset | null,
  comments: RecordComment[]
): Generator<undefined, string[]> {
  if (!rrset) {
    return []
  }
  const parts: string[] = []
  for (const part of writeZoneFile({ apex, rrsets: [rrset], comments })) {
    parts.push(part)
    yield
  }
  return parts
    .join('')
    .split('\n')
    .slice(2, -1)
    .map((line) => line.replaceAll(/ {3,}/g, '  '))
}

function sentences(warnings: Violation[]): string[] {
  return [...new Set(warnings.map(({ message }) => message))]
}

/** Whether only comments on records change. */
function isOfComments(zones: ZonePlan[]): boolean {
  const changes = zones.flatMap((zone) => zone.changes)
  return (
    changes.length > 0 &&
    changes.every(changesCommentsOnly) &&
    zones.every(({ properties }) => !properties)
  )
}
