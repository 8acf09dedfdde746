import { setTimeout as wait } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { readEnds } from '#audit/head'
import { someLinks, LINK_BATCH_SIZE } from '#audit/links'
import { onSealed } from '#audit/sealed'
import { eventFromLink, type PublishedEvent } from '#events/event'

/** Interval of the check for events that other processes sealed. */
const POLL_MS = 1_000

/** First and last positions of the log. */
export interface LogExtent {
  /** The last position that retention removed. */
  before: number
  last: number
}

/** A batch of events in their order, and the position up to which it is complete. */
export interface EventBatch {
  events: PublishedEvent[]
  until: number
}

/** The first and last position of the log now. */
export async function readLogExtent(): Promise<LogExtent> {
  const logEnds = await readEnds(db.connection())
  return { before: logEnds?.anchor.position ?? 0, last: logEnds?.head.position ?? 0 }
}

/**
 * The next events after a position, up to `last`. Positions have no gaps and never change: a caller that continues from
 * `until` gets each event once.
 */
export async function readEventsAfter(after: number, last: number): Promise<EventBatch> {
  const links = await someLinks(db.connection(), after, last)
  const events = links.map(eventFromLink).filter((event) => event !== null)
  return { events, until: links.length < LINK_BATCH_SIZE ? last : links[links.length - 1].position }
}

/**
 * Waits until the log has events after a position, a time has passed, or the signal is aborted. One query per second serves
 * all waiters; sealing in this process wakes them at once.
 */
export async function waitForEvents(
  after: number,
  maxWaitMs: number,
  signal: AbortSignal
): Promise<void> {
  const deadline = performance.now() + maxWaitMs
  while (!signal.aborted && performance.now() < deadline && (await readCachedEnd()) <= after) {
    await waitForNextPoll(signal)
  }
}

/** The recent end of the log, for callers that need the events from now on. */
export function readRecentEnd(): Promise<number> {
  return readCachedEnd()
}

let cachedEnd: { at: number; last: Promise<number> } | undefined

/** The end of the log, read at most once per poll interval. */
function readCachedEnd(): Promise<number> {
  if (!cachedEnd || performance.now() - cachedEnd.at >= POLL_MS) {
    cachedEnd = { at: performance.now(), last: readLogExtent().then(({ last }) => last) }
    cachedEnd.last.catch(() => (cachedEnd = undefined))
  }
  return cachedEnd.last
}

/** Resolves after the poll interval, when this process has sealed events, or on abort. */
async function waitForNextPoll(signal: AbortSignal): Promise<void> {
  const sealed = new AbortController()
  const unsubscribe = onSealed(() => {
    cachedEnd = undefined
    sealed.abort()
  })
  await wait(POLL_MS, undefined, { signal: AbortSignal.any([sealed.signal, signal]) }).catch(
    () => {}
  )
  unsubscribe()
}
