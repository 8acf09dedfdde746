import { hash } from 'node:crypto'
import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { loadCommentsAt } from '#changes/comments/comment_store'
import { commentChangeFinder } from '#dns/record_comments'
import type { RRsetChange } from '#dns/types'
import { Refusal } from '#exceptions/refusal'
import {
  changesBySet,
  conflictOf,
  isOutdated,
  keyOfChange,
  type Conflict,
  type VersionSet,
} from '#web/editor/draft_merge'
import { resolved, type Choice } from '#web/editor/draft_choices'
import { isSound, type Draft } from '#web/editor/zone_draft'
import type { OpenZone } from '#zones/directory'
import { ZoneHistory } from '#zones/history/history'
import { ZoneRRsets } from '#zones/records/rrsets'

const CHOICES: readonly Choice[] = ['mine', 'theirs', 'both']

/** Name of the field of the choice for an RRset. */
export function choiceField({ name, type }: { name: string; type: string }): string {
  // Names of fields with dots and brackets in them are taken apart on their way.
  return `keep-${hash('sha256', `${name} ${type}`).slice(0, 24)}`
}

/** The choices in the fields of a form. */
export function choicesIn(fields: Record<string, unknown>): Map<string, Choice> {
  const choiceEntries = Object.entries(fields).filter(([name]) => name.startsWith('keep-'))
  return new Map(
    choiceEntries.flatMap(([name, value]) => {
      const choice = CHOICES.find((known) => known === value)
      return choice ? [[name, choice]] : []
    })
  )
}

/** A draft after the user chose versions. */
export interface Rebased {
  draft: Draft
  /** RRsets without a choice of the user. */
  openConflicts: Conflict[]
}

/** RRsets that the draft and another user changed: both versions, and the draft after a choice. */
@inject()
export class DraftConflicts {
  constructor(
    private readonly rrsets: ZoneRRsets,
    private readonly history: ZoneHistory
  ) {}

  /** The RRsets of a draft that changed since it began. Ignores changes with invalid numbers. */
  async find(actor: Actor, openedZone: OpenZone, draft: Draft): Promise<Conflict[]> {
    const apex = openedZone.zone.name
    const groups = [...changesBySet(draft.filter(isSound), apex)].flatMap(([text, changes]) => {
      const key = keyOfChange(changes[0], apex)
      return key ? [{ text, key, changes }] : []
    })
    const names = [...new Set(groups.map(({ key }) => key.name))]
    const sets = await this.rrsets.rrsetsAt(openedZone, names)
    const storedSets = new Map(sets.map((set) => [`${set.name} ${set.type}`, set]))
    const comments = await loadCommentsAt(openedZone.zone, names)
    const conflictStates = groups.map(({ text, key, changes }) => {
      const commentOn: VersionSet['commentOn'] = (record) =>
        comments.commentOn(key, record)?.inline ?? ''
      return { text, key, changes, now: { set: storedSets.get(text) ?? null, commentOn } }
    })
    const outdatedSets = conflictStates.filter(({ changes, now }) => isOutdated(changes, now))
    const since = Math.min(
      ...outdatedSets.flatMap(({ changes }) => changes.map((it) => it.since ?? 0))
    )
    const bases =
      outdatedSets.length === 0
        ? new Map<string, RRsetChange>()
        : await this.#readBases(actor, openedZone, since)
    return outdatedSets.map(({ text, key, changes, now }) => {
      const change = bases.get(text)
      return conflictOf(key, apex, changes, { base: change && beforeOf(change, now), now })
    })
  }

  /** The draft with the chosen versions in place of its changes to the RRsets that others changed. */
  async rebase(
    actor: Actor,
    openedZone: OpenZone,
    draft: Draft,
    choices: Map<string, Choice>
  ): Promise<Rebased> {
    const conflicts = await this.find(actor, openedZone, draft)
    const { lastEntry } = await this.history.open(openedZone.zone)
    const decidedConflicts = conflicts.filter((conflict) => choices.has(choiceField(conflict)))
    const replaced = new Set<Draft[number]>(decidedConflicts.flatMap(({ changes }) => changes))
    const resolvedChanges = decidedConflicts.flatMap((conflict) => {
      const choice = choices.get(choiceField(conflict)) ?? 'theirs'
      return resolved(conflict, choice, openedZone.zone.name, lastEntry)
    })
    return {
      draft: [...draft.filter((change) => !replaced.has(change)), ...resolvedChanges],
      openConflicts: conflicts.filter((conflict) => !decidedConflicts.includes(conflict)),
    }
  }

  /** Returns the RRsets that changed since a history entry, by "name type". */
  async #readBases(
    actor: Actor,
    openedZone: OpenZone,
    since: number
  ): Promise<Map<string, RRsetChange>> {
    const decision = authorize(actor, { action: 'zone.view_history', zone: openedZone.facts })
    if (!decision.allowed || since < 1) {
      return new Map()
    }
    try {
      const { changes } = await this.history.diff(openedZone, { entry: since }, 'now')
      return new Map(changes.map((change) => [`${change.name} ${change.type}`, change]))
    } catch (error) {
      // The history does not contain the start of the draft.
      if (error instanceof Refusal && error.status === 404) return new Map()
      throw error
    }
  }
}

/** Returns the RRset before a change that led to `current`. */
function beforeOf({ type, before, comments }: RRsetChange, current: VersionSet): VersionSet {
  const findCommentChange = commentChangeFinder(type, comments)
  return {
    set: before,
    commentOn(record) {
      const change = findCommentChange(record)
      return change ? (change.before?.inline ?? '') : current.commentOn(record)
    },
  }
}
