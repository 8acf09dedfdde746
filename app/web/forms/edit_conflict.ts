import { createHash } from 'node:crypto'
import type { HttpContext } from '@adonisjs/core/http'
import type { FormProblem } from '#web/forms/errors'

/** A member that others changed, as `@!storedNow` shows it. */
interface StoredLine {
  label: string
  value: string
}

/** A member of an object, in the words of its form. */
export interface StoredMember {
  /** Key of the catalogue. */
  label: string
  stored: string
  typed: string
}

/** Data of the component `@!storedNow`: displayed lines and a hidden field. */
export interface StoredNow {
  lines: StoredLine[]
  /** Digests of the members at the time of the form: they distinguish changes of other users from changes of this form. */
  was: string
}

/** Letters of a digest; more than a few members are never compared. */
const DIGEST_LENGTH = 10
/** Maximum length of the submitted digests; longer values are cut. */
const LONGEST_WAS = 4_000

/** As `storedMembers`, for an object whose members have the names of the form fields. */
export function storedNow<Field extends string>(
  ctx: HttpContext,
  problem: FormProblem | null,
  labels: Readonly<Record<Field, string>>,
  stored: Readonly<Record<NoInfer<Field>, string>>,
  typed: Readonly<Partial<Record<NoInfer<Field>, string>>>
): StoredNow {
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
): StoredNow {
  const sent: unknown = problem === null ? null : request.input('was')
  const seen = typeof sent === 'string' ? sent.slice(0, LONGEST_WAS) : ''
  const now = members.map(digestOf).join(' ')
  if (problem?.status !== 412) {
    return { lines: [], was: seen === '' ? now : seen }
  }
  const known = new Set(seen.split(' '))
  const changed = members.filter(
    (member) =>
      unixLines(member.typed).trim() !== member.stored.trim() && !known.has(digestOf(member))
  )
  const lines = changed.map(({ label, stored }) => ({
    label: i18n.t(label),
    value: listed(stored),
  }))
  return { lines, was: now }
}

function digestOf({ label, stored }: StoredMember): string {
  const hash = createHash('sha256').update(`${label}\n${stored.trim()}`)
  return hash.digest('base64url').slice(0, DIGEST_LENGTH)
}

function unixLines(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** Joins lines to one. */
function listed(text: string): string {
  return text.split('\n').filter(Boolean).join(', ')
}
