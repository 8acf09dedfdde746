import { setTimeout as wait } from 'node:timers/promises'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import {
  BackendUnavailable,
  WritesPending,
  WriteUnconfirmed,
  ZoneGone,
} from '#backends/contract/errors'
import { dropUndone, keepConnectionAlive, touchHeartbeat } from '#backends/pending_writes/heartbeat'
import {
  hold,
  intend,
  pendingOf,
  settle,
  withdraw,
  type Intention,
} from '#backends/pending_writes/store'
import type { Mirror } from '#backends/mirrored/mirror'
import type { ZoneServer } from '#backends/mirrored/zone_server'
import { MirroredWriteSession } from '#backends/mirrored/session'
import {
  AlreadySettled,
  StaleRead,
  PlanChanged,
  DryRunDone,
  WriteRun,
  type Wanted,
} from '#backends/mirrored/write_attempt'
import type { WriteSession } from '#backends/contract/write_session'
import { inTransaction } from '#database/transaction'
import { KeyedQueue } from '#support/keyed_queue'

/** Longest wait for the writers before: each of them may wait for a slow server. */
const QUEUE_WAIT_MS = 20_000

/** Maximum number of attempts of a write after changes by others. */
const TRIES = 40

type Work<T> = (session: WriteSession) => Promise<T>

/**
 * Writes at a server and in Zonewright's tables, which share no transaction. A rehearsal runs the work and rolls it back: its
 * steps are stored as a pending write and committed. The second attempt does each step at the server, verifies it, and then
 * commits the tables. After an interruption, the pending write shows what to verify.
 */
export class MirroredWrites {
  /** Writers of other processes meet at the database. */
  readonly #queue = new KeyedQueue<number>({
    waitMs: QUEUE_WAIT_MS,
    busy: () => new BackendUnavailable('The zone keeps changing'),
  })

  constructor(
    private readonly client: () => QueryClientContract,
    private readonly server: ZoneServer,
    private readonly mirror: Mirror
  ) {}

  /**
   * See `DnsBackend.write`. Throws `WritesPending` if an earlier write must be verified first.
   *
   * @param settles the earlier write that this one settles
   */
  async write<T>(work: Work<T>, settles: string | null = null): Promise<T> {
    const run = new WriteRun(this.server)
    let entered: number[] = []
    let leave = () => {}
    try {
      for (let tries = 0; tries < TRIES; tries++) {
        try {
          return await this.#attempt(run, work, settles)
        } catch (error) {
          if (error instanceof StaleRead) {
            const ids = error.wanted.zones.map(({ id }) => id)
            if (ids.some((id) => !entered.includes(id))) {
              leave()
              entered = [...new Set([...entered, ...ids])]
              leave = await this.#queue.acquire(entered)
            }
            await this.#ask(run, error.wanted, settles !== null)
          } else if (error instanceof PlanChanged) {
            await wait(Math.random() * 20 * tries)
            run.forget()
          } else {
            throw error
          }
        }
      }
      throw new BackendUnavailable('The zone keeps changing')
    } finally {
      leave()
    }
  }

  async #ask(run: WriteRun, { zones, metadata, keys }: Wanted, isSettling: boolean): Promise<void> {
    if (
      !isSettling &&
      (await pendingOf(
        this.client(),
        zones.map(({ id }) => id)
      ))
    ) {
      throw new WritesPending(zones.map(({ id }) => id))
    }
    for (const { id, name } of zones) {
      if (metadata) {
        run.metadata.set(id, (await this.server.metadata(name)) ?? {})
      } else if (keys) {
        run.keys.set(id, await this.server.keys(name))
      } else {
        await this.#look(run, { id, name }, isSettling)
      }
    }
  }

  async #look(
    run: WriteRun,
    zone: { id: number; name: string },
    isSettling: boolean
  ): Promise<void> {
    // Cached metadata can be older than this read.
    run.metadata.delete(zone.id)
    run.keys.delete(zone.id)
    try {
      run.looks.set(zone.id, await this.mirror.look(zone))
    } catch (error) {
      if (!(isSettling && error instanceof ZoneGone)) {
        throw error
      }
      run.gone.add(zone.id)
    }
  }

  async #attempt<T>(run: WriteRun, work: Work<T>, settles: string | null): Promise<T> {
    run.rehearse()
    try {
      return await this.#run(run, work, settles)
    } catch (error) {
      if (!(error instanceof DryRunDone)) {
        throw error
      }
    }
    const intention = await intend(this.client(), run.steps, run.intended, settles)
    if (!intention) {
      throw settled()
    }
    run.perform()
    let isDone = false
    try {
      return await this.#run(run, work, intention.id, (is) => {
        isDone = is
      })
    } catch (error) {
      if (error instanceof WriteUnconfirmed) {
        error.zones = run.outcomes('written')
        return await this.#leave(intention, error)
      }
      if (isDone) {
        throw uncommitted(run, error)
      }
      await this.#takeBack(run, intention, error)
      throw error
    }
  }

  #run<T>(
    run: WriteRun,
    work: Work<T>,
    intention: string | null,
    note?: (isDone: boolean) => void
  ): Promise<T> {
    return inTransaction(this.client(), async (trx) => {
      // After a failed COMMIT, the attempt is repeated.
      note?.(false)
      run.begin()
      // Locks the pending write: another process that settles it waits, and then finds it deleted.
      if (intention !== null && !(await hold(trx, intention))) {
        throw run.isReal ? abandonedError(run) : settled()
      }
      const session = new MirroredWriteSession(trx, run)
      const result = await keepConnectionAlive(trx, run.isReal, async () => {
        const done = await work(session)
        await session.finish()
        return done
      })
      const isMine = intention === null || (await settle(trx, intention))
      // Another process may have settled the earlier write.
      if (!isMine && run.isReal) {
        throw new WriteUnconfirmed('Another process settled the write')
      }
      note?.(true)
      return result
    })
  }

  /** A failed write must leave nothing at the server. Reverses the steps, last first, and records each at once. */
  async #takeBack(run: WriteRun, intention: Intention, error: unknown): Promise<void> {
    const isBeforeStep = error instanceof StaleRead || error instanceof PlanChanged
    const isUnasked = isBeforeStep && run.made.length === 0
    try {
      for (let index = run.made.length - 1; index >= 0; index--) {
        await this.#undo(run, intention, index)
      }
    } catch (cause) {
      const done = [...new Set(run.made.map(({ zoneName }) => zoneName))].join(', ')
      const reason = error instanceof Error ? error.message : 'unknown'
      const unconfirmed = new WriteUnconfirmed(
        `A part of the change was applied and could not be reversed (zones: ${done}); cause: ${reason}`,
        { cause }
      )
      // The step behind those that are left was refused, or is the one that was taken back last.
      unconfirmed.zones = run.outcomes('unknown', 'untouched')
      return await this.#leave(intention, unconfirmed)
    }
    const zoneIds = isUnasked ? [] : run.steps.map(({ zoneId }) => zoneId)
    await withdraw(this.client(), intention, [...new Set(zoneIds)])
  }

  /**
   * Leaves a write to be verified. Its last call can still arrive: a heartbeat marks the write as running, since the
   * transaction was rolled back.
   */
  async #leave(intention: Intention, error: WriteUnconfirmed): Promise<never> {
    try {
      await touchHeartbeat(this.client(), intention.id)
    } catch {
      // The outcome is unknown, whatever the database answers.
    }
    throw error
  }

  /** Reverses the last step, with this index. No other process settles the write meanwhile. */
  #undo(run: WriteRun, intention: Intention, index: number): Promise<void> {
    return inTransaction(this.client(), async (trx) => {
      if (!(await dropUndone(trx, intention, index))) {
        throw abandonedError(run)
      }
      await keepConnectionAlive(trx, true, () => run.undo(index))
    })
  }
}

function settled(): Error {
  return new AlreadySettled('The earlier write is already settled')
}

/** COMMIT was sent without an answer. The pending write is deleted with it, or stays to be verified. */
function uncommitted(run: WriteRun, cause: unknown): WriteUnconfirmed {
  const words = "The server applied the change, but Zonewright's database did not confirm it"
  const unconfirmed = new WriteUnconfirmed(words, { cause })
  unconfirmed.zones = run.outcomes('written')
  return unconfirmed
}

/** Another process settled the write meanwhile and records its outcome: it must not be repeated. */
function abandonedError(run: WriteRun): Error {
  const words = 'Another process settled the write'
  return run.made.length > 0 ? new WriteUnconfirmed(words) : new PlanChanged(words)
}
