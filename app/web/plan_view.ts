import { effectsOf } from '#dns/effects'
import type { Violation } from '#dns/rules'
import { isOfNotesAlone, notesOn } from '#dns/record_notes'
import type { NoteChange, RRset, RRsetChange } from '#dns/types'
import { writeZoneFile, type RecordComment } from '#dns/zonefile/index'
import type { ChangePlan, ZonePlan } from '#changes/zone_plan'

/** A line of a difference. */
export interface DiffLine {
  sign: '+' | '-' | ' '
  text: string
}

/** What becomes of the RRsets of one owner name. */
export interface NameDiff {
  name: string
  lines: DiffLine[]
}

/** What would become of a zone, for people. */
export interface PlanView {
  hash: string
  zones: {
    name: string
    names: NameDiff[]
    rrsets: number
    /** What answers otherwise, in words. */
    effects: string[]
    warnings: string[]
    /** Whether there are more lines than are shown. */
    isCut: boolean
    serialBefore: number | null
    serialAfter: number | null
    needsReview: boolean
  }[]
  isEmpty: boolean
  /** No record changes, but what is written about records does. */
  isOfComments: boolean
}

/** Lines of one difference that are shown. */
const MOST_LINES = 2_000
const MOST_SENTENCES = 50

/** A plan without warnings that are told elsewhere on the page. */
export function withoutWarnings(plan: PlanView, told: ReadonlySet<string>): PlanView {
  const zones = plan.zones.map((zone) => ({
    ...zone,
    warnings: zone.warnings.filter((message) => !told.has(message)),
  }))
  return { ...plan, zones }
}

/** A plan for the page that asks whether to apply it. */
export function planView({ hash, zones }: ChangePlan): PlanView {
  return {
    hash,
    zones: zones.map((plan) => ({
      name: plan.zoneName,
      names: nameDiffs(plan.zoneName, plan.changes),
      isCut: plan.changes.length > MOST_LINES,
      rrsets: plan.changes.length,
      effects: effectsOf(plan.zoneName, plan.changes)
        .slice(0, MOST_SENTENCES)
        .map(({ message }) => message),
      warnings: sentences(plan.warnings),
      serialBefore: plan.serialBefore,
      serialAfter: plan.serialAfter,
      needsReview: plan.needsReview === true,
    })),
    isEmpty: zones.every(({ changes, properties }) => changes.length === 0 && !properties),
    isOfComments: isOfComments(zones),
  }
}

/** Changes of RRsets in lines of a zone file, by owner name. */
export function nameDiffs(apex: string, changes: RRsetChange[]): NameDiff[] {
  let room = MOST_LINES
  const diffs: NameDiff[] = []
  for (const [name, own] of Map.groupBy(changes, (change) => change.name)) {
    if (room <= 0) break
    const lines = own.flatMap((change) => diffLines(apex, change)).slice(0, room)
    room -= lines.length
    if (lines.length > 0) diffs.push({ name, lines })
  }
  return diffs
}

/** What goes, then what comes; what stays of the RRset stands behind. */
function diffLines(apex: string, { before, after, notes }: RRsetChange): DiffLine[] {
  const old = linesOf(apex, before, commentsOf(before, notes, 'before'))
  const wanted = linesOf(apex, after, commentsOf(after, notes, 'after'))
  const [was, becomes] = [new Set(old), new Set(wanted)]
  const line = (sign: DiffLine['sign']) => (text: string) => ({ sign, text })
  return [
    ...old.filter((text) => !becomes.has(text)).map(line('-')),
    ...wanted.filter((text) => !was.has(text)).map(line('+')),
    ...wanted.filter((text) => was.has(text)).map(line(' ')),
  ]
}

/** An RRset that two people want otherwise, for who has to choose. */
export interface ConflictView {
  name: string
  type: string
  /** From what is there now to what is wanted. */
  lines: DiffLine[]
}

/** RRsets that two people want otherwise, as they are now and as they are wanted. */
export function conflictViews(apex: string, conflicts: readonly RRsetChange[]): ConflictView[] {
  return conflicts.slice(0, MOST_SENTENCES).map((conflict) => ({
    name: conflict.name,
    type: conflict.type,
    lines: diffLines(apex, conflict),
  }))
}

/** What is written about records of an RRset, of those only where that changes. */
function commentsOf(
  rrset: RRset | null,
  notes: NoteChange[] | undefined,
  side: 'before' | 'after'
): RecordComment[] {
  if (!rrset || !notes) {
    return []
  }
  const noteOn = notesOn(rrset.type, notes)
  return rrset.records.flatMap((record) => {
    const note = noteOn(record)?.[side]
    return note ? [{ name: rrset.name, type: rrset.type, ...record, ...note }] : []
  })
}

function linesOf(apex: string, rrset: RRset | null, comments: RecordComment[]): string[] {
  if (!rrset) {
    return []
  }
  const text = [...writeZoneFile({ apex, rrsets: [rrset], comments })].join('')
  return text
    .split('\n')
    .slice(2, -1)
    .map((line) => line.replaceAll(/ {3,}/g, '  '))
}

function sentences(warnings: Violation[]): string[] {
  return [...new Set(warnings.map(({ message }) => message))].slice(0, MOST_SENTENCES)
}

/** Whether changes of zones are of what is written about records alone. */
function isOfComments(zones: ZonePlan[]): boolean {
  const changes = zones.flatMap((zone) => zone.changes)
  return (
    changes.length > 0 &&
    changes.every(isOfNotesAlone) &&
    zones.every(({ properties }) => !properties)
  )
}
