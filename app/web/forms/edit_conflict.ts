import { createHash } from 'node:crypto'
import type { HttpContext } from '@adonisjs/core/http'
import type { FormProblem } from '#web/forms/errors'

/** A member that another user changed, for the component `@!storedNow`. */
interface StoredLine {
  label: string
  value: string
}

/** A member of an object: its label, its stored value and the typed value. */
export interface StoredMember {
  /** Key of the catalogue. */
  label: string
  stored: string
  typed: string
}

/** Data of the component `@!storedNow`: displayed lines and a hidden field. */
export interface StoredState {
  lines: StoredLine[]
  /**
   * Digests of the members when the form was loaded. They distinguish changes of other users from
   * changes of this form.
   */
  was: string
}

/** Characters of a digest. Few members are compared, so that a short digest suffices. */
const DIGEST_LENGTH = 10
/** Maximum length of the submitted digests; longer values are truncated. */
const MAX_DIGESTS_LENGTH = 4_000

/** As `storedMembers`, for an object whose members have the names of the form fields. */
export function storedNow<Field extends string>(
  ctx: HttpContext,
  problem: FormProblem | null,
  labels: Readonly<Record<Field, string>>,
  stored: Readonly<Record<NoInfer<Field>, string>>,
  typed: Readonly<Partial<Record<NoInfer<Field>, string>>>
): StoredState {
  const fields = Object.keys(labels) as Field[]
  const members = fields.map((field) => ({
    label: labels[field],
    stored: stored[field],
    typed: typed[field] ?? '',
  }))
  return storedMembers(ctx, problem, members)
}

/**
 * The changes of other users, for a form that is displayed again after a 412: the typed values stay, with these next to them.
 * Empty for other forms, which only resend their digests.
 *
 * @param members in the order of the form
 */
export function storedMembers(
  { i18n, request }: Pick<HttpContext, 'i18n' | 'request'>,
  problem: FormProblem | null,
  members: StoredMember[]
): StoredState {
  const submitted: unknown = problem === null ? null : request.input('was')
  const submittedDigests =
    typeof submitted === 'string' ? submitted.slice(0, MAX_DIGESTS_LENGTH) : ''
  const currentDigests = members.map(digestOf).join(' ')
  if (problem?.status !== 412) {
    return { lines: [], was: submittedDigests === '' ? currentDigests : submittedDigests }
  }
  const knownDigests = new Set(submittedDigests.split(' '))
  const changed = members.filter(
    (member) =>
      unixLines(member.typed).trim() !== member.stored.trim() && !knownDigests.has(digestOf(member))
  )
  const lines = changed.map(({ label, stored }) => ({
    label: i18n.t(label),
    value: oneLine(stored),
  }))
  return { lines, was: currentDigests }
}

function digestOf({ label, stored }: StoredMember): string {
  const hash = createHash('sha256').update(`${label}\n${stored.trim()}`)
  return hash.digest('base64url').slice(0, DIGEST_LENGTH)
}

function unixLines(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** Joins lines to one. */
function oneLine(text: string): string {
  return text.split('\n').filter(Boolean).join(', ')
}
