import { isDeepStrictEqual } from 'node:util'
import type { PendingEffects } from '#backends/contract/write_session'
import { comparableStep, type ZoneStep } from '#backends/pending_writes/steps'
import type { MirrorRead } from '#backends/mirrored/mirror'
import { serialPolicyOf } from '#backends/mirrored/serial_policy'
import type { ServerZone, ZoneServer } from '#backends/mirrored/zone_server'
import type { ZoneOutcome } from '#backends/contract/errors'
import type { ZoneKey } from '#backends/contract/types'
import type { Metadata } from '#dns/metadata/metadata'

/** What has to be asked of the server before a write can go on. Whoever runs the write asks, outside of transactions. */
export interface Wanted {
  zones: { id: number; name: string }[]
  metadata: boolean
  keys: boolean
}

/** What a write needs of the server that it is made at. */
type RunServer = Pick<
  ZoneServer,
  'zone' | 'metadata' | 'keys' | 'carry' | 'undo' | 'movesSerials' | 'takesMetadata'
>

/** Ends a run of a write that lacks what the server says now. */
export class StaleRead extends Error {
  constructor(readonly wanted: Wanted) {
    super('The server has to be asked first')
  }
}

/** Ends a rehearsal that found steps to be made at the server. */
export class DryRunDone extends Error {}

/** Ends a run whose steps are others than those that were intended: the work is rehearsed again. */
export class PlanChanged extends Error {}

/** Ends a run that was to settle an earlier write, which somebody else settled or confirmed. */
export class AlreadySettled extends Error {}

/**
 * One write, over all of its runs: what was read at the server for it, and the steps that it makes there. In a
 * rehearsal steps are gathered; in the run after it they are made, each once.
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
  /** Of steps that were made, in their order: a run that met another writer of the own database goes on behind. */
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

  /** The steps that were made at the server. */
  get made(): ZoneStep[] {
    return this.#made.map(({ step }) => step)
  }

  /**
   * What is known of each zone after a write that was cut off.
   *
   * @param made of steps that were made, and not taken back
   * @param next of the step behind them: its end may be what nobody knows
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

  /** What follows makes the steps that were rehearsed. */
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

  /** Makes a step, and answers the zone as it is then; null in a rehearsal, and where nobody needs it. */
  async step(step: ZoneStep): Promise<ServerZone | null> {
    if (!this.#isReal) {
      this.steps.push(step)
      return null
    }
    const index = this.#next++
    const intended = this.steps.at(index)
    if (!intended || !isSameStep(intended, step)) {
      throw new PlanChanged('The write is another one by now')
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
   * The first zone was looked at just now. The others wait for those before them, and somebody else may have written
   * them meanwhile: all that was read of them for this write is compared.
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
      throw new PlanChanged(`Zone '${zoneName}' was changed meanwhile`)
    }
  }

  /** Ends a run: all that was intended has to be made. */
  end(): void {
    if (!this.#isReal && this.steps.length > 0) {
      throw new DryRunDone('There is something to be done at the server')
    }
    if (this.#isReal && this.#next !== this.steps.length) {
      throw new PlanChanged('The write is another one by now')
    }
  }

  /** Takes back the last step that was made, the one of this index; again is fine. */
  async undo(index: number): Promise<void> {
    const made = this.#made.at(index)
    if (made) {
      await this.server.undo(made.step)
      this.#made.length = index
      this.forget()
    }
  }

  /** What was read at the server is not so any more. */
  forget(): void {
    this.looks.clear()
    this.metadata.clear()
    this.keys.clear()
  }
}

/** Ids of new zones are given anew in each run. */
function isSameStep(one: ZoneStep, other: ZoneStep): boolean {
  const [a, b] = [comparableStep(one), comparableStep(other)]
  return one.zoneName === other.zoneName && a.kind === b.kind && a.changes === b.changes
}
