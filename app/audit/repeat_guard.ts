import { anonymousActor, type ActedEvent, type AuditActor, type AuditEvent } from '#audit/event'
import { BufferedWriter } from '#support/buffered_writer'

/** For so long the same event is counted and not repeated. */
export const WINDOW_MS = 60_000

/** Delay of a write: after the answer of the request, so that its duration shows nothing; combines events. */
const DELAY_MS = 500

/** Different events of one caller, and of all callers known or all unknown, in one window. */
export const MAX_PER_CALLER = 20
export const MAX_OVERALL = 200

/** One event, or several that are counted together. */
interface Slot {
  actor: AuditActor
  event: AuditEvent
  /** Number of repetitions without a row of their own. */
  repeats: number
  since: string
  until: string
}

/**
 * Limits the rows of repeated events. The first event of a window with the same actor, address, action and object is written
 * at once; repetitions are counted in one row at its end. Beyond twenty rows per caller, one row counts the rest of that
 * caller; beyond two hundred rows, one row counts all other callers. Unauthenticated callers have a limit of their own, so
 * that they do not hide others.
 */
export class RepeatGuard extends BufferedWriter {
  readonly #slots = new Map<string, Slot>()
  /** How many events were written for a caller, and for a class of callers. */
  readonly #written = new Map<string, number>()
  readonly #delayMs: number
  #pending: ActedEvent[] = []
  #window: NodeJS.Timeout | undefined

  /** @param store must not throw */
  constructor(
    private readonly store: (events: ActedEvent[]) => Promise<void>,
    private readonly windowMs: number = WINDOW_MS
  ) {
    super()
    this.#delayMs = Math.min(DELAY_MS, windowMs / 4)
  }

  /** Records an event. Never throws and never waits. */
  recordEvent(actor: AuditActor, event: AuditEvent): void {
    const now = new Date().toISOString()
    this.#window ??= setTimeout(() => this.#endWindow(), this.windowMs).unref()
    const known = this.#slots.get(exactly(actor, event)) ?? this.#shared(actor, event, now)
    if (known) {
      known.repeats += 1
      known.until = now
      return
    }
    const slot = { actor, event, repeats: 0, since: now, until: now }
    this.#slots.set(exactly(actor, event), slot)
    for (const name of [callerOf(actor), classOf(actor)]) {
      this.#written.set(name, this.#count(name) + 1)
    }
    this.#pending.push({ actor, event: { ...event, time: now } })
    this.writeWithin(this.#delayMs)
  }

  /** Ends the window first, so that the counts are written, too. */
  override flush(): Promise<void> {
    this.#endWindow()
    return super.flush()
  }

  protected async write(): Promise<void> {
    const events = this.#pending
    this.#pending = []
    if (events.length > 0) {
      await this.store(events)
    }
  }

  #count(name: string): number {
    return this.#written.get(name) ?? 0
  }

  /** The shared slot, if the caller or all callers have the maximum number of rows. */
  #shared(actor: AuditActor, event: AuditEvent, now: string): Slot | null {
    const isFull = this.#count(classOf(actor)) >= MAX_OVERALL
    if (!isFull && this.#count(callerOf(actor)) < MAX_PER_CALLER) {
      return null
    }
    const name = [isFull ? classOf(actor) : callerOf(actor), event.action].join(' ')
    const slot = this.#slots.get(name) ?? {
      actor: isFull ? anonymousActor(null, actor.channel) : actor,
      event: { action: event.action, outcome: event.outcome, detail: { various: true } },
      repeats: 0,
      since: now,
      until: now,
    }
    this.#slots.set(name, slot)
    return slot
  }

  #endWindow(): void {
    clearTimeout(this.#window)
    this.#window = undefined
    for (const { actor, event, repeats, since, until } of this.#slots.values()) {
      if (repeats > 0) {
        const detail = { ...event.detail, repeated: repeats, since, until }
        this.#pending.push({ actor, event: { ...event, detail, time: until } })
      }
    }
    this.#slots.clear()
    this.#written.clear()
    this.writeWithin(this.#delayMs)
  }
}

function classOf({ userId }: AuditActor): string {
  return userId === null ? 'unknown' : 'known'
}

function callerOf({ userId, key, address }: AuditActor): string {
  return JSON.stringify([userId, key?.id ?? null, address])
}

function exactly(actor: AuditActor, { action, object, outcome }: AuditEvent): string {
  const { kind = null, id = null, name = null } = object ?? {}
  return JSON.stringify([callerOf(actor), actor.channel, action, outcome, kind, id, name])
}
