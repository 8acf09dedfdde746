import { inject } from '@adonisjs/core'
import type { I18n } from '@adonisjs/i18n'
import type { Actor } from '#access/actor'
import { ActionRefused } from '#changes/model/action_error'
import { PreconditionFailed, type CurrentObject } from '#changes/planning/preconditions'
import { intentOf, type Intent } from '#changes/model/intent'
import { mapOutcome, type Outcome } from '#changes/model/outcome'
import type { ChangePlan, AppliedZone } from '#changes/model/zone_plan'
import { Refusal } from '#exceptions/refusal'
import { dryRun } from '#web/plans/planned'
import { problemIn, type FormProblem } from '#web/forms/errors'
import { operationsOf, recordText, type Draft } from '#web/editor/zone_draft'
import type { OpenZone } from '#zones/directory'
import { RecordBulk } from '#zones/records/bulk'

/** Why a draft is invalid, for its author. */
export interface DraftProblem extends FormProblem {
  /** Index of the change in the draft; null for the draft as a whole. */
  change: number | null
  /** Whether another user changed or deleted a record of the draft. */
  isMoved?: boolean
}

/** A plan of a draft. */
export interface PlannedDraft {
  plan: ChangePlan
  messages: string[]
}

/** Plans and applies drafts of the editor. A plan is displayed first, and applied by its hash. */
@inject()
export class Drafts {
  constructor(private readonly bulk: RecordBulk) {}

  /** The plan of a draft, and messages about the requested PTR records. Changes nothing. Throws the errors of the write. */
  async plan(actor: Actor, openedZone: OpenZone, draft: Draft): Promise<PlannedDraft> {
    const operations = operationsOf(draft)
    const { zones: companions, messages } = await this.bulk.companions(
      actor,
      openedZone,
      operations
    )
    const plan = await dryRun(actor, (intent) =>
      this.bulk.handle(intent, openedZone, operations, { companions })
    )
    return { plan, messages }
  }

  /** Applies a draft if the hash of its plan is still the same. Throws `StalePlan` otherwise. */
  async apply(
    actor: Actor,
    openedZone: OpenZone,
    draft: Draft,
    terms: Pick<Intent, 'planHash' | 'reason' | 'review' | 'applyAt' | 'repeatId'>
  ): Promise<Outcome<AppliedZone[]>> {
    const intent = intentOf(actor, terms)
    const operations = operationsOf(draft)
    const { zones: companions } = await this.bulk.companions(actor, openedZone, operations)
    const outcome = this.bulk.handle(intent, openedZone, operations, { companions })
    return mapOutcome(outcome, ({ zones }) => zones)
  }
}

/** The problem to show with the draft; null for errors with a page of their own. */
export function draftProblem(i18n: I18n, draft: Draft, error: unknown): DraftProblem | null {
  const staleChange = staleChangeOf(draft, error)
  if (staleChange) {
    const { what, change } = staleChange
    const record = draft.at(change ?? draft.length)
    const message = i18n.t(`plan.${what}`, { record: record ? recordText(record) : '' })
    return { status: 412, message, change, isMoved: true }
  }
  const reason = reasonOf(error)
  const problem = problemIn(i18n, reason)
  if (!problem || [403, 404].includes(problem.status)) {
    return null
  }
  return { ...problem, change: reason instanceof ActionRefused ? reason.action : null }
}

/** Returns the change whose record was changed or deleted meanwhile; null for other errors. */
function staleChangeOf(
  draft: Draft,
  error: unknown
): { what: 'gone' | 'changed' | 'comment_changed'; change: number | null } | null {
  if (error instanceof PreconditionFailed) {
    const { condition, current } = error
    const tags = condition.kind === 'match' ? condition.tags : []
    const change = draft.findIndex(({ tag }) => tag !== undefined && tags.includes(tag))
    return { what: whatMoved(current), change: change < 0 ? null : change }
  }
  const reason = reasonOf(error)
  return reason instanceof ActionRefused && reason.status === 404
    ? { what: 'gone', change: reason.action }
    : null
}

function whatMoved(current: CurrentObject): 'gone' | 'changed' | 'comment_changed' {
  if (current.kind !== 'record' || (current.record && !current.isCommentAlone)) return 'changed'
  return current.record ? 'comment_changed' : 'gone'
}

function reasonOf(error: unknown): unknown {
  const isOfAction = error instanceof Refusal && error.cause instanceof ActionRefused
  return isOfAction ? error.cause : error
}
