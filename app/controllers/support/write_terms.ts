import type { HttpContext } from '@adonisjs/core/http'
import type { Condition } from '#changes/model/change_set'
import { intentOf, type Intent } from '#changes/model/intent'
import { entityTags } from '#controllers/support/entity_tags'
import { refuseMisspeltDryRun, unvalidatedMembers } from '#controllers/support/request_body'
import { invalid } from '#exceptions/refusal'

/** Common members of the bodies of writes. */
export interface CommonMembers {
  dry_run?: boolean
  reason?: string
}

/** The terms of a request: actor, reason, dry run and precondition. */
export interface WriteTerms {
  intent: Intent
  /** About the object of the path. */
  condition?: Condition
}

const WORDS: Record<string, boolean> = { 'true': true, '1': true, 'false': false, '0': false }
const MAX_REASON = 1024

/**
 * The terms of a write: `If-Match`, `If-None-Match`, `dry_run` (query or body) and the reason (body
 * or `X-Change-Reason`). Throws 400 for invalid values.
 */
export function writeTerms(ctx: HttpContext, body: CommonMembers = {}): WriteTerms {
  const condition = conditionOf(ctx)
  return {
    intent: intentOf(ctx.actor, {
      reason: body.reason || reasonHeader(ctx),
      dryRun: body.dry_run === true || dryRunQuery(ctx),
      repeatId: ctx.repeatId ?? null,
    }),
    ...(condition ? { condition } : {}),
  }
}

function conditionOf({ request }: HttpContext): Condition | undefined {
  // Raw headers: an empty header is an invalid condition, not an absent one.
  const match = request.headers()['if-match']?.trim()
  const noneMatch = request.headers()['if-none-match']?.trim()
  if (match !== undefined && noneMatch !== undefined) {
    throw invalid("Send only one of the headers 'If-Match' and 'If-None-Match'")
  }
  if (noneMatch !== undefined) {
    if (noneMatch !== '*') {
      throw invalid(`Header 'If-None-Match' of a write must be *, found ${quoteText(noneMatch)}`)
    }
    return { kind: 'absent' }
  }
  if (match === undefined) {
    return undefined
  }
  return matching(match, "Header 'If-Match'")
}

/**
 * The precondition that an object has one of these entity tags, or exists (`*`). A weak tag is
 * accepted and never matches (RFC 9110, 13.1.1).
 *
 * @param header name of the header or member for the 400 of an invalid text
 */
export function matching(text: string, header: string): Condition {
  if (text.trim() === '*') {
    return { kind: 'present' }
  }
  const tags = entityTags(text)
  if (!tags) {
    throw invalid(
      `${header} must be * or a list of entity tags such as "0123abcd", found ${quoteText(text)}`
    )
  }
  return { kind: 'match', tags }
}

/** Throws 400 for preconditions of a request that has no object for them. */
export function refuseConditions({ request }: HttpContext, names: string[], instead: string): void {
  const name = names.find((candidate) => request.headers()[candidate.toLowerCase()] !== undefined)
  if (name !== undefined) {
    throw invalid(`Header '${name}' is not supported on this endpoint; ${instead}`)
  }
}

function dryRunQuery({ request }: HttpContext): boolean {
  const parameters = request.qs()
  refuseMisspeltDryRun(Object.keys(parameters), 'Query parameter')
  const word = parameters.dry_run as string | undefined
  if (word === undefined) {
    return false
  }
  const value = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined
  if (value === undefined) {
    throw invalid(
      `Query parameter 'dry_run' must be true or false (or 1 or 0), found ${quoteText(word)}`
    )
  }
  return value
}

/** Whether the query or the body requests a dry run; the body is not validated. */
export async function asksForPlan(ctx: HttpContext): Promise<boolean> {
  const inQuery = ctx.request.qs().dry_run as string | undefined
  const members = inQuery === undefined ? await unvalidatedMembers(ctx) : {}
  const value = inQuery ?? members.dry_run
  return value === true || value === 1 || value === 'true' || value === '1'
}

/** Headers are Latin-1 bytes; clients send UTF-8. */
function reasonHeader({ request }: HttpContext): string | null {
  const text = Buffer.from(request.header('x-change-reason') ?? '', 'latin1').toString('utf8')
  if (text.length > MAX_REASON || /\p{Cc}/u.test(text)) {
    throw invalid(`Header 'X-Change-Reason' must be at most ${MAX_REASON} characters of plain text`)
  }
  return text || null
}

function quoteText(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}
