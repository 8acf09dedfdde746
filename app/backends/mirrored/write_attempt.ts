import { isDeepStrictEqual } from 'node:util'
import type { PendingEffects } from '#backends/contract/write_session'
import { comparableStep, type ZoneStep } from '#backends/pending_writes/steps'
import type { MirrorRead } from '#backends/mirrored/mirror'
import { serialPolicyOf } from '#backends/mirrored/zone_server'
import type { ServerZone, ZoneServer } from '#backends/mirrored/zone_server'
import type { ZoneOutcome } from '#backends/contract/errors'
import type { ZoneKey } from '#backends/contract/types'
import type { Metadata } from '#dns/metadata/metadata'

/** Data of the server that a write needs to continue. The caller reads it outside of transactions. */
export interface RequiredData {
  zones: { id: number; name: string }[]
  metadata: boolean
  keys: boolean
}

/** Calls of the server that a write needs. */
type RunServer = Pick<
  ZoneServer,
  'zone' | 'metadata' | 'keys' | 'executeStep' | 'undo' | 'movesSerials' | 'takesMetadata'
>

/** Ends an attempt that needs current data of the server. */
export class StaleRead extends Error {
  constructor(readonly required: RequiredData) {
    super('Current data of the server must be read first')
  }
}

/** Ends a rehearsal with steps for the server. */
export class RehearsalDone extends Error {}

/** Ends a run whose steps differ from the stored ones: the work is rehearsed again. */
export class PlanChanged extends Error {}

/** Ends an attempt to settle an earlier write that another process settled or confirmed. */
export class AlreadySettled extends Error {}

/**
 * A write with all of its attempts: the data read from the server, and the steps. A rehearsal collects the steps; the
 * attempt after it executes each once.
 */
export class WriteRun {
  readonly mirrorReads = new Map<number, MirrorRead>()
  readonly metadata = new Map<number, Metadata>()
  readonly keys = new Map<number, ZoneKey[]>()
  /** Zones that are missing on the server; only for a run that settles an earlier write. */
  readonly missingZones = new Set<number>()
  /** Author and side effects of the write, see `WriteSession.setPendingEffects`. */
  pendingEffects: PendingEffects | null = null

  steps: ZoneStep[] = []
  #isExecuting = false
  #nextIndex = 0
  /** Executed steps, in order. After a conflict in the database, an attempt continues after them. */
  readonly #executed: { step: ZoneStep; answer: ServerZone | null }[] = []

  constructor(private readonly server: RunServer) {}

  /** As of `ZoneServer`. */
  takesMetadata(kind: string): boolean {
    return this.server.takesMetadata(kind)
  }

  /** The policy by which the server moves the serial of a zone with this metadata; empty where it does not. */
  serialPolicy(metadata: Metadata): string {
    const [policy = ''] = metadata['SOA-EDIT-API'] ?? []
    return this.server.movesSerials ? serialPolicyOf(policy) : ''
  }

  /** The steps that were executed at the server. */
  get executedSteps(): ZoneStep[] {
    return this.#executed.map(({ step }) => step)
  }

  /**
   * The state of each zone after an interrupted write.
   *
   * @param executedState state of steps that were done and not reversed
   * @param nextState state of the step after them, whose end may be unknown
   */
  outcomes(
    executedState: 'written' | 'unknown',
    nextState: 'unknown' | 'untouched' = 'unknown'
  ): ZoneOutcome[] {
    const states = new Map<string, ZoneOutcome['state']>()
    for (const [index, { zoneName }] of this.steps.entries()) {
      const state =
        index < this.#executed.length
          ? executedState
          : index === this.#executed.length
            ? nextState
            : 'untouched'
      const known = states.get(zoneName) ?? state
      states.set(zoneName, known === state ? state : 'unknown')
    }
    return [...states].map(([zoneName, state]) => ({ zoneName, state }))
  }

  get isExecuting(): boolean {
    return this.#isExecuting
  }

  /** Starts a rehearsal. */
  rehearse(): void {
    this.#isExecuting = false
    this.steps = []
  }

  /** The next attempt executes the rehearsed steps. */
  execute(): void {
    this.#isExecuting = true
  }

  /** Starts a run. */
  begin(): void {
    this.#nextIndex = 0
    if (!this.#isExecuting) {
      this.steps = []
    }
  }

  /** Executes a step and returns the resulting zone; null in a rehearsal, and if no caller needs it. */
  async step(step: ZoneStep): Promise<ServerZone | null> {
    if (!this.#isExecuting) {
      this.steps.push(step)
      return null
    }
    const index = this.#nextIndex++
    const plannedStep = this.steps.at(index)
    if (!plannedStep || !isSameStep(plannedStep, step)) {
      throw new PlanChanged('The steps of the write have changed')
    }
    const executedStep = this.#executed.at(index)
    if (executedStep) {
      return executedStep.answer
    }
    await this.#requireUnchanged(step)
    const answer = await this.server.executeStep(step)
    this.#executed.push({ step, answer })
    return answer
  }

  /**
   * Zones after the first one wait for earlier steps, and can change in the meantime. Compares all data that was read
   * for this write.
   */
  async #requireUnchanged({ zoneId, zoneName }: ZoneStep): Promise<void> {
    const mirrorRead = this.mirrorReads.get(zoneId)
    const hasExecutedStep = this.#executed.some(({ step }) => step.zoneId === zoneId)
    if (!mirrorRead || hasExecutedStep || this.#executed.length === 0) {
      return
    }
    const [metadata, keys] = [this.metadata.get(zoneId), this.keys.get(zoneId)]
    const serverZone = await this.server.zone(zoneName)
    if (
      serverZone?.digest !== mirrorRead.answer.digest ||
      (metadata && !isDeepStrictEqual((await this.server.metadata(zoneName)) ?? {}, metadata)) ||
      (keys && !isDeepStrictEqual(await this.server.keys(zoneName), keys))
    ) {
      throw new PlanChanged(`Zone '${zoneName}' was changed during the write`)
    }
  }

  /** Ends an attempt: all rehearsed steps must be done. */
  end(): void {
    if (!this.#isExecuting && this.steps.length > 0) {
      throw new RehearsalDone('The write has steps for the server')
    }
    if (this.#isExecuting && this.#nextIndex !== this.steps.length) {
      throw new PlanChanged('The steps of the write have changed')
    }
  }

  /** Reverses the last step, with this index. Can be repeated. */
  async undo(index: number): Promise<void> {
    const executedStep = this.#executed.at(index)
    if (executedStep) {
      await this.server.undo(executedStep.step)
      this.#executed.length = index
      this.discardReads()
    }
  }

  /** Discards the data that was read from the server. */
  discardReads(): void {
    this.mirrorReads.clear()
    this.metadata.clear()
    this.keys.clear()
  }
}

/** Ids of new zones differ between attempts. */
function isSameStep(one: ZoneStep, other: ZoneStep): boolean {
  const [a, b] = [comparableStep(one), comparableStep(other)]
  return one.zoneName === other.zoneName && a.kind === b.kind && a.changes === b.changes
}
