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

/** How often a write may begin anew because something moved. */
const TRIES = 40

type Work<T> = (session: WriteSession) => Promise<T>

/**
 * Writes that are made at a server and in the product's own tables, which share no transaction. Each is rehearsed: its
 * work runs and is rolled back, and by that it is known what is to be done at the server. That is kept as intended,
 * and committed. Then the work runs again: now each step is made at the server, looked at, and only then do own tables
 * commit. Whatever ends it in between leaves the intention, by which is found out what became of it.
 */
export class MirroredWrites {
  /** Writers of other processes meet at the database. */
  readonly #queue = new KeyedQueue<number>({
    waitMs: QUEUE_WAIT_MS,
    busy: () => new BackendUnavailable('The zone is being changed all the time'),
  })

  constructor(
    private readonly client: () => QueryClientContract,
    private readonly server: ZoneServer,
    private readonly mirror: Mirror
  ) {}

  /**
   * See `DnsBackend.write`. Throws `WritesPending` where an earlier write has to be looked at first.
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
      throw new BackendUnavailable('The zone is being changed all the time')
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
    // What was asked beside it may be older than what is looked at now.
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
      // After a COMMIT that failed the run begins anew.
      note?.(false)
      run.begin()
      // Nobody else settles it meanwhile: whoever wants to waits here, and finds it gone.
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
      // Who settles an earlier write may find that somebody else was faster.
      if (!isMine && run.isReal) {
        throw new WriteUnconfirmed('The write was given up by somebody else')
      }
      note?.(true)
      return result
    })
  }

  /** Nothing of a write that failed may stay at the server. What is taken back, the last step first, is known as that at once. */
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
        `A part of the change was made and could not be taken back (zones: ${done}); the reason it failed: ${reason}`,
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
   * Leaves a write to be looked at. Its last call may arrive still, however long ago the first one was made: the write is at
   * work from now on, which a transaction that was rolled back did not say.
   */
  async #leave(intention: Intention, error: WriteUnconfirmed): Promise<never> {
    try {
      await touchHeartbeat(this.client(), intention.id)
    } catch {
      // What is told is that nobody knows what became of it, whatever the own database says now.
    }
    throw error
  }

  /** Takes back the last step that was made, the one of this index. Nobody else settles the write meanwhile. */
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
  return new AlreadySettled('The earlier write is settled')
}

/** The last word was COMMIT. Nobody knows whether it was heard: the intention is gone with it, or stays to be looked at. */
function uncommitted(run: WriteRun, cause: unknown): WriteUnconfirmed {
  const words = 'The change was made, and the own database did not confirm what is told of it'
  const unconfirmed = new WriteUnconfirmed(words, { cause })
  unconfirmed.zones = run.outcomes('written')
  return unconfirmed
}

/** Somebody else settled a write in between: what was made of it is told by them, and must not be made again. */
function abandonedError(run: WriteRun): Error {
  const words = 'The write was given up by somebody else'
  return run.made.length > 0 ? new WriteUnconfirmed(words) : new PlanChanged(words)
}
