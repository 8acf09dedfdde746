import { randomBytes } from 'node:crypto'
import type { HttpContext } from '@adonisjs/core/http'

/** Forms that are remembered as sent, for a session. */
const MOST = 20
const SPENT = 'spent_forms'

/** What a form carries that makes a secret: sent again from the history of a browser, it makes no other one. */
export function onceToken(): string {
  return randomBytes(12).toString('base64url')
}

/** Whether a form was sent before and did its work. */
export function isSpent({ session }: HttpContext, token: string | undefined): boolean {
  return token !== undefined && spentOf(session).includes(token)
}

/** Remembers that a form did its work. */
export function spend({ session }: HttpContext, token: string | undefined): void {
  if (token !== undefined) {
    session.put(SPENT, [...spentOf(session), token].slice(-MOST))
  }
}

function spentOf(session: HttpContext['session']): string[] {
  return session.get(SPENT, []) as string[]
}
