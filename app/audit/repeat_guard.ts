import { anonymousActor, type ActedEvent, type AuditActor, type AuditEvent } from '#audit/event'
import { BufferedWriter } from '#support/buffered_writer'

/** Window in which repetitions of an event are counted instead of stored. */
export const WINDOW_MS = 60_000

/**
 * Delay of a write. The event is stored after the answer, so that the duration of the request
 * reveals nothing.
 */
const DELAY_MS = 500

/**
 * Maximum number of different events per window: per caller, and for all authenticated or all
 * unauthenticated callers.
 */
export const MAX_PER_CALLER = 20
export const MAX_SLOTS = 200

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
  /** Stored events per caller, and per class of callers. */
  readonly #eventsPerActor = new Map<string, number>()
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
    const openSlot = this.#slots.get(exactly(actor, event)) ?? this.#sharedSlot(actor, event, now)
    if (openSlot) {
      openSlot.repeats += 1
      openSlot.until = now
      return
    }
    const slot = { actor, event, repeats: 0, since: now, until: now }
    this.#slots.set(exactly(actor, event), slot)
    for (const name of [callerOf(actor), classOf(actor)]) {
      this.#eventsPerActor.set(name, this.#count(name) + 1)
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
    return this.#eventsPerActor.get(name) ?? 0
  }

  /** The shared slot, if the caller or all callers have the maximum number of rows. */
  #sharedSlot(actor: AuditActor, event: AuditEvent, now: string): Slot | null {
    const isFull = this.#count(classOf(actor)) >= MAX_SLOTS
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
    this.#eventsPerActor.clear()
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
