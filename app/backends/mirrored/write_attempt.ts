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
export interface Wanted {
  zones: { id: number; name: string }[]
  metadata: boolean
  keys: boolean
}

/** Calls of the server that a write needs. */
type RunServer = Pick<
  ZoneServer,
  'zone' | 'metadata' | 'keys' | 'carry' | 'undo' | 'movesSerials' | 'takesMetadata'
>

/** Ends an attempt that needs current data of the server. */
export class StaleRead extends Error {
  constructor(readonly wanted: Wanted) {
    super('Current data of the server must be read first')
  }
}

/** Ends a rehearsal with steps for the server. */
export class DryRunDone extends Error {}

/** Ends a run whose steps are others than those that were intended: the work is rehearsed again. */
export class PlanChanged extends Error {}

/** Ends an attempt to settle an earlier write that another process settled or confirmed. */
export class AlreadySettled extends Error {}

/**
 * A write with all of its attempts: the data read from the server, and the steps. A rehearsal collects the steps; the attempt
 * after it does each once.
 */
export class WriteRun {
  readonly looks = new Map<number, MirrorRead>()
  readonly metadata = new Map<number, Metadata>()
  readonly keys = new Map<number, ZoneKey[]>()
  /** Zones that the server has no more; only for a run that settles an earlier write. */
  readonly gone = new Set<number>()
  /** Who the write is for, and what own tables get with it; see `WriteSession.intend`. */
  intended: PendingEffects | null = null

  steps: ZoneStep[] = []
  #isReal = false
  #next = 0
  /** Steps that are done, in order. An attempt after a conflict in the database continues after them. */
  readonly #made: { step: ZoneStep; answer: ServerZone | null }[] = []

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

  /** The steps that are done at the server. */
  get made(): ZoneStep[] {
    return this.#made.map(({ step }) => step)
  }

  /**
   * The state of each zone after an interrupted write.
   *
   * @param made state of steps that were done and not reversed
   * @param next state of the step after them, whose end may be unknown
   */
  outcomes(made: 'written' | 'unknown', next: 'unknown' | 'untouched' = 'unknown'): ZoneOutcome[] {
    const states = new Map<string, ZoneOutcome['state']>()
    for (const [index, { zoneName }] of this.steps.entries()) {
      const state =
        index < this.#made.length ? made : index === this.#made.length ? next : 'untouched'
      const known = states.get(zoneName) ?? state
      states.set(zoneName, known === state ? state : 'unknown')
    }
    return [...states].map(([zoneName, state]) => ({ zoneName, state }))
  }

  get isReal(): boolean {
    return this.#isReal
  }

  /** What follows is a rehearsal. */
  rehearse(): void {
    this.#isReal = false
    this.steps = []
  }

  /** The next attempt does the rehearsed steps. */
  perform(): void {
    this.#isReal = true
  }

  /** A run begins. */
  begin(): void {
    this.#next = 0
    if (!this.#isReal) {
      this.steps = []
    }
  }

  /** Does a step and returns the resulting zone; null in a rehearsal, and if no caller needs it. */
  async step(step: ZoneStep): Promise<ServerZone | null> {
    if (!this.#isReal) {
      this.steps.push(step)
      return null
    }
    const index = this.#next++
    const intended = this.steps.at(index)
    if (!intended || !isSameStep(intended, step)) {
      throw new PlanChanged('The steps of the write have changed')
    }
    const made = this.#made.at(index)
    if (made) {
      return made.answer
    }
    await this.#demandUnmoved(step)
    const answer = await this.server.carry(step)
    this.#made.push({ step, answer })
    return answer
  }

  /**
   * The first zone was compared just now. The others wait for earlier steps, and can be changed meanwhile: compares all data
   * that was read for this write.
   */
  async #demandUnmoved({ zoneId, zoneName }: ZoneStep): Promise<void> {
    const look = this.looks.get(zoneId)
    const isBegun = this.#made.some(({ step }) => step.zoneId === zoneId)
    if (!look || isBegun || this.#made.length === 0) {
      return
    }
    const [metadata, keys] = [this.metadata.get(zoneId), this.keys.get(zoneId)]
    const found = await this.server.zone(zoneName)
    if (
      found?.digest !== look.answer.digest ||
      (metadata && !isDeepStrictEqual((await this.server.metadata(zoneName)) ?? {}, metadata)) ||
      (keys && !isDeepStrictEqual(await this.server.keys(zoneName), keys))
    ) {
      throw new PlanChanged(`Zone '${zoneName}' was changed during the write`)
    }
  }

  /** Ends an attempt: all rehearsed steps must be done. */
  end(): void {
    if (!this.#isReal && this.steps.length > 0) {
      throw new DryRunDone('The write has steps for the server')
    }
    if (this.#isReal && this.#next !== this.steps.length) {
      throw new PlanChanged('The steps of the write have changed')
    }
  }

  /** Reverses the last step, with this index. Can be repeated. */
  async undo(index: number): Promise<void> {
    const made = this.#made.at(index)
    if (made) {
      await this.server.undo(made.step)
      this.#made.length = index
      this.forget()
    }
  }

  /** Discards the data that was read from the server. */
  forget(): void {
    this.looks.clear()
    this.metadata.clear()
    this.keys.clear()
  }
}

/** Ids of new zones differ between attempts. */
function isSameStep(one: ZoneStep, other: ZoneStep): boolean {
  const [a, b] = [comparableStep(one), comparableStep(other)]
  return one.zoneName === other.zoneName && a.kind === b.kind && a.changes === b.changes
}
