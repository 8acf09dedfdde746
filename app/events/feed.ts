import { setTimeout as wait } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { readEnds } from '#audit/head'
import { someLinks, LINK_BATCH_SIZE } from '#audit/links'
import { onSealed } from '#audit/sealed'
import { eventOf, type PublishedEvent } from '#events/event'

/** Interval of the check for events that other processes sealed. */
const POLL_MS = 1_000

/** Positions between which the log has events. */
export interface Extent {
  /** The last position that retention removed. */
  before: number
  last: number
}

/** Some events in their order, and the position up to which they are all. */
export interface Batch {
  events: PublishedEvent[]
  until: number
}

/** The first and last position of the log now. */
export async function extentOfEvents(): Promise<Extent> {
  const ends = await readEnds(db.connection())
  return { before: ends?.anchor.position ?? 0, last: ends?.head.position ?? 0 }
}

/**
 * The next events after a position, up to `last`. Positions have no gaps and never change: a caller that continues from
 * `until` gets each event once.
 */
export async function eventsAfter(after: number, last: number): Promise<Batch> {
  const links = await someLinks(db.connection(), after, last)
  const events = links.map(eventOf).filter((event) => event !== null)
  return { events, until: links.length < LINK_BATCH_SIZE ? last : links[links.length - 1].position }
}

/**
 * Waits until the log has events after a position, a time has passed, or the signal is aborted. One query per second serves
 * all waiters; sealing in this process wakes them at once.
 */
export async function untilMore(after: number, atMost: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + atMost
  while (!signal.aborted && performance.now() < end && (await lastKnown()) <= after) {
    await nextPoll(signal)
  }
}

/** The recent end of the log, for callers that need the events from now on. */
export function recentEnd(): Promise<number> {
  return lastKnown()
}

let look: { at: number; last: Promise<number> } | undefined

/** The end of the log, read at most once per poll interval. */
function lastKnown(): Promise<number> {
  if (!look || performance.now() - look.at >= POLL_MS) {
    look = { at: performance.now(), last: extentOfEvents().then(({ last }) => last) }
    look.last.catch(() => (look = undefined))
  }
  return look.last
}

/** Resolves after the poll's time, when this process has sealed something, or with the signal. */
async function nextPoll(signal: AbortSignal): Promise<void> {
  const done = new AbortController()
  const off = onSealed(() => {
    look = undefined
    done.abort()
  })
  await wait(POLL_MS, undefined, { signal: AbortSignal.any([done.signal, signal]) }).catch(() => {})
  off()
}
