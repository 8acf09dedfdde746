import { createHash } from 'node:crypto'
import type { Actor } from '#access/actor'
import { plainTerms, type AccountTerms } from '#accounts/terms'
import { Refusal } from '#exceptions/refusal'

const MOVED = 'Somebody changed this in the meantime. Look at what is stored now, and save again'

/** A word for what a form shows of an object: it comes back with the form, and is another one once any of it changed. */
export function seenOf(stored: object): string {
  const members = Object.entries(stored)
    .filter(([name, value]) => IS_SHOWN.has(name) && value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url').slice(0, 22)
}

/** What forms of users, groups and permission templates change. */
const IS_SHOWN = new Set([
  'username',
  'fullname',
  'email',
  'description',
  'permission_template_id',
  'active',
  'auth_method',
  'name',
  'template_type',
  'permissions',
  'members',
  'zones',
])

/** The terms of a form: the object must be as it was shown, else the change is refused with a 412. */
export function formTerms(actor: Actor, seen: string | undefined): AccountTerms {
  return {
    ...plainTerms(actor),
    expect: (stored) => {
      if (seenOf(stored) !== seen) throw new Refusal(412, MOVED)
    },
  }
}
