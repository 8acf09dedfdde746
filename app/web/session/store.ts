import type { HttpContext } from '@adonisjs/core/http'
import type { SessionStoreContract, SessionData } from '@adonisjs/session/types'
import {
  createSession,
  endSession,
  findSession,
  storeSession,
  updateLastActivity,
  type Session,
} from '#accounts/sessions/sessions'
import { COOKIE, cookieName } from '#support/cookies'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** The session of a signed-in user at the start of the request; null for anonymous visitors. */
    signedIn: Session | null
    /** Set for requests without a user action: they do not extend the session. */
    isUnattended?: true
  }
}

/** The owner of a session. Anonymous sessions have none. */
export interface Owner {
  userId: number
  remembered: boolean
}

export const OWNER = 'owner'
/**
 * Session flag: a form was submitted after its session had ended. The sign-in page displays a
 * notice.
 */
export const SESSION_ENDED = 'ended'
/** Message for the next page. */
export const TOAST = 'toast'

const GUEST_COOKIE = cookieName('zonewright_guest')
/** Browsers drop cookies of more than 4096 bytes, and encryption adds to what it hides. */
const MAX_GUEST_BYTES = 2048

/**
 * Storage of sessions. Those of signed-in users are rows, found by the hash of the cookie. Those of anonymous visitors are
 * encrypted cookies, so that requests for the sign-in page do not fill the database.
 */
export class SessionStore implements SessionStoreContract {
  constructor(private readonly ctx: HttpContext) {}

  async read(token: string): Promise<SessionData | null> {
    const session = await findSession(token)
    this.ctx.signedIn = session
    if (session) {
      const { userId, remembered } = session
      if (remembered) {
        outliveBrowser(this.ctx, (Date.parse(session.expiresAt) - Date.now()) / 1000)
      }
      return { ...session.data, [OWNER]: { userId, remembered } } as SessionData
    }
    return this.#guestData(token)
  }

  async write(token: string, { [OWNER]: owner, ...data }: SessionData): Promise<void> {
    if (!owner) {
      this.#storeGuest(token, data)
      return
    }
    const { userId, remembered } = owner as Owner
    const { signedIn, session, request, response } = this.ctx
    if (signedIn && !session.hasRegeneratedSession) {
      // A session that was ended meanwhile stays ended.
      await storeSession(signedIn, data)
      return
    }
    const agent = request.header('user-agent') ?? ''
    await createSession(token, { userId, remembered, data, address: request.ip(), agent })
    response.clearCookie(GUEST_COOKIE, COOKIE)
  }

  async destroy(token: string): Promise<void> {
    await endSession(token)
  }

  async touch(): Promise<void> {
    if (this.ctx.signedIn && !this.ctx.isUnattended) {
      await updateLastActivity(this.ctx.signedIn)
    }
  }

  #guestData(token: string): SessionData | null {
    const cookie = this.ctx.request.encryptedCookie(GUEST_COOKIE) as
      { token?: unknown; data?: SessionData } | null | undefined
    return cookie?.token === token && cookie.data ? cookie.data : null
  }

  #storeGuest(token: string, data: SessionData): void {
    const isSmall = JSON.stringify(data).length <= MAX_GUEST_BYTES
    // JSON omits undefined members.
    const cookieData = isSmall ? data : { ...data, [TOAST]: undefined }
    this.ctx.response.encryptedCookie(GUEST_COOKIE, { token, data: cookieData }, COOKIE)
  }
}

/** Sets the lifetime of the session cookie in seconds, so that it outlives the browser. */
export function outliveBrowser({ session }: HttpContext, seconds: number): void {
  const { config } = session
  session.config = { ...config, cookie: { ...config.cookie, maxAge: Math.floor(seconds) } }
}
