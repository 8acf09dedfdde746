import { createHash } from 'node:crypto'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import db from '@adonisjs/lucid/services/db'
import interfaceSettings from '#config/interface'
import { retryOnConflict } from '#database/conflicts'

const TABLE = 'zw_sessions'
const SECOND_MS = 1000
const HOUR_MS = 3600 * SECOND_MS
const DAY_MS = 24 * HOUR_MS
/** Minimum interval between updates of the last activity. */
const LAST_SEEN_INTERVAL_MS = 60 * SECOND_MS

/** A signed-in session of the web interface. */
export interface Session {
  id: number
  userId: number
  data: Record<string, unknown>
  remembered: boolean
  address: string
  agent: string
  /** ISO 8601, as all times here. */
  createdAt: string
  lastSeenAt: string
  idleUntil: string
  expiresAt: string
}

export type NewSession = Pick<Session, 'userId' | 'data' | 'remembered' | 'address' | 'agent'>

interface SessionRow {
  id: number
  user_id: number
  data: string
  is_remembered: boolean | number
  address: string
  agent: string
  created_at: string
  seen_at: string
  idle_until: string
  expires_at: string
}

/** Returns the session of a token; null if missing or expired. */
export async function findSession(token: string): Promise<Session | null> {
  const row: SessionRow | null = await db.from(TABLE).where('token_hash', hashOf(token)).first()
  const now = timestampIn(0)
  return row && row.expires_at > now && row.idle_until > now ? sessionFromRow(row) : null
}

/** Returns whether a session is still open. */
export async function isSessionOpen(id: number): Promise<boolean> {
  const now = timestampIn(0)
  const row: unknown = await db
    .from(TABLE)
    .where({ id })
    .where('expires_at', '>', now)
    .where('idle_until', '>', now)
    .select('id')
    .first()
  return row !== null && row !== undefined
}

export async function createSession(token: string, session: NewSession): Promise<void> {
  const row = {
    token_hash: hashOf(token),
    user_id: session.userId,
    data: JSON.stringify(session.data),
    is_remembered: session.remembered,
    address: session.address.slice(0, 45),
    agent: session.agent.toWellFormed().replaceAll('\0', '').slice(0, 255),
    created_at: timestampIn(0),
    seen_at: timestampIn(0),
    idle_until: idleUntil(session.remembered),
    expires_at: timestampIn(lifetimeMs(session.remembered)),
  }
  await retryOnConflict(() => db.table(TABLE).insert(row))
}

/** Stores the data of a session. Returns false if the session was ended. */
export async function storeSession(
  { id, remembered }: Pick<Session, 'id' | 'remembered'>,
  data: Record<string, unknown>
): Promise<boolean> {
  const stored: unknown = await retryOnConflict(() =>
    db
      .from(TABLE)
      .where({ id })
      .update({
        data: JSON.stringify(data),
        seen_at: timestampIn(0),
        idle_until: idleUntil(remembered),
      })
  )
  return Number(stored) > 0
}

/** Updates the last activity, at most once per `LAST_SEEN_INTERVAL_MS`. */
export async function updateLastActivity({ id, remembered, lastSeenAt }: Session): Promise<void> {
  if (Date.now() - Date.parse(lastSeenAt) < LAST_SEEN_INTERVAL_MS) {
    return
  }
  await retryOnConflict(() =>
    db
      .from(TABLE)
      .where({ id })
      .update({ seen_at: timestampIn(0), idle_until: idleUntil(remembered) })
  )
}

/** Deletes the session of a token, if it exists. */
export async function endSession(token: string): Promise<void> {
  await retryOnConflict(() => db.from(TABLE).where('token_hash', hashOf(token)).delete())
}

/** Returns the open sessions of a user, newest first. */
export async function listSessions(userId: number): Promise<Session[]> {
  const rows: SessionRow[] = await db
    .from(TABLE)
    .where('user_id', userId)
    .where('expires_at', '>', timestampIn(0))
    .where('idle_until', '>', timestampIn(0))
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
  return rows.map(sessionFromRow)
}

/** Ends one session of a user. Returns false if the user has no such session. */
export async function revokeSession(
  userId: number,
  id: number,
  trx?: QueryClientContract
): Promise<boolean> {
  const deleteSession = () => (trx ?? db).from(TABLE).where({ id, user_id: userId }).delete()
  const deletedRows: unknown = await (trx ? deleteSession() : retryOnConflict(deleteSession))
  return Number(deletedRows) > 0
}

/** Ends all sessions of a user, optionally except one. Returns their number. */
export async function revokeSessionsOf(
  client: QueryClientContract,
  userId: number,
  except?: number
): Promise<number> {
  const rows = client.from(TABLE).where('user_id', userId)
  const deletedRows: unknown = await (except === undefined
    ? rows.delete()
    : rows.whereNot('id', except).delete())
  return Number(deletedRows)
}

/** Deletes expired sessions. Returns their number. */
export async function pruneSessions(): Promise<number> {
  const now = timestampIn(0)
  const removed: unknown = await retryOnConflict(() =>
    db.from(TABLE).where('expires_at', '<=', now).orWhere('idle_until', '<=', now).delete()
  )
  return Number(removed)
}

/** Returns the maximum lifetime of a session, in ms. */
export function lifetimeMs(remembered: boolean): number {
  return remembered
    ? interfaceSettings.remember_days * DAY_MS
    : interfaceSettings.session_lifetime * HOUR_MS
}

/** Remembered sessions do not expire by inactivity. */
function idleUntil(remembered: boolean): string {
  return timestampIn(remembered ? lifetimeMs(true) : interfaceSettings.session_timeout * SECOND_MS)
}

function sessionFromRow(row: SessionRow): Session {
  return {
    id: Number(row.id),
    userId: Number(row.user_id),
    data: JSON.parse(row.data) as Record<string, unknown>,
    remembered: Boolean(row.is_remembered),
    address: row.address,
    agent: row.agent,
    createdAt: row.created_at,
    lastSeenAt: row.seen_at,
    idleUntil: row.idle_until,
    expiresAt: row.expires_at,
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function timestampIn(milliseconds: number): string {
  return new Date(Date.now() + milliseconds).toISOString()
}
