import { setTimeout as wait } from 'node:timers/promises'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import {
  BackendUnavailable,
  WritesPending,
  WriteUnconfirmed,
  ZoneGone,
} from '#backends/contract/errors'
import {
  deleteUndoneSteps,
  keepConnectionAlive,
  touchHeartbeat,
} from '#backends/pending_writes/heartbeat'
import {
  lockWrite,
  storeWrite,
  pendingOf,
  confirmWrite,
  withdrawWrite,
  type StoredWrite,
} from '#backends/pending_writes/store'
import type { Mirror } from '#backends/mirrored/mirror'
import type { ZoneServer } from '#backends/mirrored/zone_server'
import { MirroredWriteSession } from '#backends/mirrored/session'
import {
  AlreadySettled,
  StaleRead,
  PlanChanged,
  RehearsalDone,
  WriteRun,
  type RequiredData,
} from '#backends/mirrored/write_attempt'
import type { WriteSession } from '#backends/contract/write_session'
import { inTransaction } from '#database/transaction'
import { KeyedQueue } from '#support/keyed_queue'

/** Maximum wait for earlier writers: each of them may wait for a slow server. */
const QUEUE_WAIT_MS = 20_000

/** Maximum number of attempts of a write after changes by others. */
const MAX_ATTEMPTS = 40

type Work<T> = (session: WriteSession) => Promise<T>

/**
 * Writes at a server and in Zonewright's tables, which share no transaction. A rehearsal runs the work and rolls it back: its
 * steps are stored as a pending write and committed. The second attempt does each step at the server, verifies it, and then
 * commits the tables. After an interruption, the pending write shows what to verify.
 */
export class MirroredWrites {
  /** Queue of this process. The database orders writers of different processes. */
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
   * @param settledWriteId the earlier write that this one settles
   */
  async write<T>(work: Work<T>, settledWriteId: string | null = null): Promise<T> {
    const writeRun = new WriteRun(this.server)
    let queuedIds: number[] = []
    let leaveQueue = () => {}
    try {
      for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
        try {
          return await this.#attempt(writeRun, work, settledWriteId)
        } catch (error) {
          if (error instanceof StaleRead) {
            const ids = error.required.zones.map(({ id }) => id)
            if (ids.some((id) => !queuedIds.includes(id))) {
              leaveQueue()
              queuedIds = [...new Set([...queuedIds, ...ids])]
              leaveQueue = await this.#queue.acquire(queuedIds)
            }
            await this.#readRequired(writeRun, error.required, settledWriteId !== null)
          } else if (error instanceof PlanChanged) {
            await wait(Math.random() * 20 * attempts)
            writeRun.discardReads()
          } else {
            throw error
          }
        }
      }
      throw new BackendUnavailable('The zone keeps changing')
    } finally {
      leaveQueue()
    }
  }

  async #readRequired(
    writeRun: WriteRun,
    { zones, metadata, keys }: RequiredData,
    isSettling: boolean
  ): Promise<void> {
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
        writeRun.metadata.set(id, (await this.server.metadata(name)) ?? {})
      } else if (keys) {
        writeRun.keys.set(id, await this.server.keys(name))
      } else {
        await this.#readZone(writeRun, { id, name }, isSettling)
      }
    }
  }

  async #readZone(
    writeRun: WriteRun,
    zone: { id: number; name: string },
    isSettling: boolean
  ): Promise<void> {
    // Cached metadata can be older than this read.
    writeRun.metadata.delete(zone.id)
    writeRun.keys.delete(zone.id)
    try {
      writeRun.mirrorReads.set(zone.id, await this.mirror.readWhole(zone))
    } catch (error) {
      if (!(isSettling && error instanceof ZoneGone)) {
        throw error
      }
      writeRun.missingZones.add(zone.id)
    }
  }

  async #attempt<T>(writeRun: WriteRun, work: Work<T>, settledWriteId: string | null): Promise<T> {
    writeRun.rehearse()
    try {
      return await this.#run(writeRun, work, settledWriteId)
    } catch (error) {
      if (!(error instanceof RehearsalDone)) {
        throw error
      }
    }
    const storedWrite = await storeWrite(
      this.client(),
      writeRun.steps,
      writeRun.pendingEffects,
      settledWriteId
    )
    if (!storedWrite) {
      throw settledError()
    }
    writeRun.execute()
    let isDone = false
    try {
      return await this.#run(writeRun, work, storedWrite.id, (is) => {
        isDone = is
      })
    } catch (error) {
      if (error instanceof WriteUnconfirmed) {
        error.zones = writeRun.outcomes('written')
        return await this.#leavePending(storedWrite, error)
      }
      if (isDone) {
        throw uncommittedError(writeRun, error)
      }
      await this.#undoSteps(writeRun, storedWrite, error)
      throw error
    }
  }

  #run<T>(
    writeRun: WriteRun,
    work: Work<T>,
    storedWriteId: string | null,
    onProgress?: (isDone: boolean) => void
  ): Promise<T> {
    return inTransaction(this.client(), async (trx) => {
      // After a failed COMMIT, the attempt is repeated.
      onProgress?.(false)
      writeRun.begin()
      // Locks the pending write: another process that settles it waits, and then finds it deleted.
      if (storedWriteId !== null && !(await lockWrite(trx, storedWriteId))) {
        throw writeRun.isExecuting ? abandonedError(writeRun) : settledError()
      }
      const session = new MirroredWriteSession(trx, writeRun)
      const result = await keepConnectionAlive(trx, writeRun.isExecuting, async () => {
        const done = await work(session)
        await session.finish()
        return done
      })
      const isStillPending = storedWriteId === null || (await confirmWrite(trx, storedWriteId))
      // Another process may have settled the earlier write.
      if (!isStillPending && writeRun.isExecuting) {
        throw new WriteUnconfirmed('Another process settled the write')
      }
      onProgress?.(true)
      return result
    })
  }

  /** A failed write must leave nothing at the server. Reverses the steps, last first, and records each at once. */
  async #undoSteps(writeRun: WriteRun, storedWrite: StoredWrite, error: unknown): Promise<void> {
    const isBeforeStep = error instanceof StaleRead || error instanceof PlanChanged
    const isNothingExecuted = isBeforeStep && writeRun.executedSteps.length === 0
    try {
      for (let index = writeRun.executedSteps.length - 1; index >= 0; index--) {
        await this.#undo(writeRun, storedWrite, index)
      }
    } catch (cause) {
      const done = [...new Set(writeRun.executedSteps.map(({ zoneName }) => zoneName))].join(', ')
      const reason = error instanceof Error ? error.message : 'unknown'
      const unconfirmed = new WriteUnconfirmed(
        `A part of the change was applied and could not be reversed (zones: ${done}); cause: ${reason}`,
        { cause }
      )
      // The step after the remaining ones was refused, or was reversed last.
      unconfirmed.zones = writeRun.outcomes('unknown', 'untouched')
      return await this.#leavePending(storedWrite, unconfirmed)
    }
    const zoneIds = isNothingExecuted ? [] : writeRun.steps.map(({ zoneId }) => zoneId)
    await withdrawWrite(this.client(), storedWrite, [...new Set(zoneIds)])
  }

  /**
   * Leaves a write to be verified. Its last call can still arrive: a heartbeat marks the write as running, since the
   * transaction was rolled back.
   */
  async #leavePending(storedWrite: StoredWrite, error: WriteUnconfirmed): Promise<never> {
    try {
      await touchHeartbeat(this.client(), storedWrite.id)
    } catch {
      // The outcome is unknown, whatever the database answers.
    }
    throw error
  }

  /** Reverses the last step, with this index. No other process settles the write meanwhile. */
  #undo(writeRun: WriteRun, storedWrite: StoredWrite, index: number): Promise<void> {
    return inTransaction(this.client(), async (trx) => {
      if (!(await deleteUndoneSteps(trx, storedWrite, index))) {
        throw abandonedError(writeRun)
      }
      await keepConnectionAlive(trx, true, () => writeRun.undo(index))
    })
  }
}

function settledError(): Error {
  return new AlreadySettled('The earlier write is already settled')
}

/** COMMIT was sent without an answer. The pending write is deleted with it, or stays to be verified. */
function uncommittedError(writeRun: WriteRun, cause: unknown): WriteUnconfirmed {
  const message = "The server applied the change, but Zonewright's database did not confirm it"
  const unconfirmed = new WriteUnconfirmed(message, { cause })
  unconfirmed.zones = writeRun.outcomes('written')
  return unconfirmed
}

/** Another process settled the write meanwhile and records its outcome: it must not be repeated. */
function abandonedError(writeRun: WriteRun): Error {
  const message = 'Another process settled the write'
  return writeRun.executedSteps.length > 0
    ? new WriteUnconfirmed(message)
    : new PlanChanged(message)
}
