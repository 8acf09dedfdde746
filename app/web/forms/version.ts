import type { Actor } from '#access/actor'
import { commandOptions, type AccountWriteOptions } from '#accounts/terms'
import type { Condition } from '#changes/model/change_set'
import { demandTag } from '#exceptions/state_tag'
import type { FormProblem } from '#web/forms/errors'

/*
 * Forms that change an object have a field `tag` with the version that they were filled in from: the entity tag of the API,
 * otherwise a `stateTag`. A form is refused with a 412 if the object changed since.
 */

/** An entity tag as forms carry it: without its quotes. */
export function bareTag(tag: string): string {
  return tag.replaceAll('"', '')
}

/** Returns the precondition for the tag of a form; '' means that the object did not exist. */
export function conditionOf(tag: string): Condition {
  return tag === '' ? { kind: 'absent' } : { kind: 'match', tags: [`"${tag}"`] }
}

/** The terms of a form of an account, a group and the like. A form without a tag has seen nothing. */
export function formTerms<Stored extends object>(
  actor: Actor,
  tag: string | undefined,
  tagOf: (storedObject: Stored) => string
): AccountWriteOptions {
  return {
    ...commandOptions(actor),
    checkStored: (storedObject) => demandTag(tagOf(storedObject as Stored), tag ?? ''),
  }
}

/**
 * The entity tag of a form that is displayed again. It does not change, so that no change of another user is lost: only
 * changes that the page shows may be overwritten.
 *
 * @param currentTag  tag of the current object
 * @param submittedTag tag of the form; absent if it had none
 */
export function versionForRedisplay(
  currentTag: string,
  problem: FormProblem | null,
  submittedTag?: string
): string {
  return problem?.status === 412 || submittedTag === undefined ? currentTag : submittedTag
}
