import { inject } from '@adonisjs/core'
import type { SigningState } from '#backends/contract/backend'
import type { Intent } from '#changes/model/intent'
import { changeSigning } from '#changes/signing/change_signing'
import { conflict } from '#exceptions/refusal'
import { soleKey } from '#zones/dnssec/key_requests'
import {
  isSigned,
  changeableState,
  SigningDirectory,
  type SigningContext,
} from '#zones/dnssec/signing_context'
import { signingQueue } from '#zones/dnssec/queue'
import { checkSignable } from '#zones/dnssec/signing_checks'

/** Signing state of a zone, and whether the request changed it. */
export interface SigningOutcome {
  state: SigningState
  changed: boolean
  /** See `SigningResult`. */
  unfinished: string | null
}

const REPLICAS = new Set(['SLAVE', 'CONSUMER'])
/**
 * Denial of existence of signed zones. PowerDNS deletes these kinds with the first and the last
 * key.
 */
const DENIAL_METADATA = ['NSEC3PARAM', 'NSEC3NARROW']

/** Signs, unsigns and rectifies zones. `SigningDirectory` opens the zones. */
@inject()
export class ZoneSigningStates {
  constructor(private readonly directory: SigningDirectory) {}

  /**
   * Signs the zone with one key of an algorithm, or with the default keys of the server; metadata
   * stay. Throws a 409 `Refusal` for a presigned zone, and a 400 that lists obstacles or
   * algorithms.
   */
  sign(intent: Intent, context: SigningContext, algorithm?: string): Promise<SigningOutcome> {
    return signingQueue.run(context.zone.id, () => this.#sign(intent, context, algorithm))
  }

  async #sign(
    intent: Intent,
    context: SigningContext,
    algorithm?: string
  ): Promise<SigningOutcome> {
    const key = algorithm === undefined ? null : await soleKey(context.signing, algorithm)
    const state = await changeableState(context)
    if (isSigned(state)) {
      return { state, changed: false, unfinished: null }
    }
    const { zone, signing } = context
    const { backend } = this.directory
    await checkSignable(backend, zone)
    const { refusal } = await changeSigning(backend, intent, zone, {
      action: 'zone.signed',
      detail: { algorithm },
      movesSerial: true,
      retainedMetadata: DENIAL_METADATA,
      call: async () => {
        await (key ? signing.addKey(zone, key) : signing.sign(zone))
      },
    })
    return { state: await signing.state(zone), changed: true, unfinished: refusal }
  }

  /**
   * Deletes all keys. Metadata stay if the server allows them for unsigned zones. Throws a 409
   * `Refusal` for a presigned zone.
   */
  unsign(intent: Intent, context: SigningContext): Promise<SigningOutcome> {
    return signingQueue.run(context.zone.id, () => this.#unsign(intent, context))
  }

  async #unsign(intent: Intent, context: SigningContext): Promise<SigningOutcome> {
    const state = await changeableState(context)
    if (!isSigned(state)) {
      return { state, changed: false, unfinished: null }
    }
    const { zone, signing } = context
    const { backend } = this.directory
    const { refusal } = await changeSigning(backend, intent, zone, {
      action: 'zone.unsigned',
      detail: { keys: state.keys.map(({ id }) => id) },
      movesSerial: true,
      retainedMetadata: DENIAL_METADATA,
      endsMetadata: !backend.capabilities.anyMetadata,
      call: () => signing.unsign(zone),
    })
    return { state: await signing.state(zone), changed: true, unfinished: refusal }
  }

  /** Throws a 409 `Refusal` for secondary, presigned and unsigned zones. */
  async rectify(intent: Intent, context: SigningContext): Promise<void> {
    const { zone, signing } = context
    if (REPLICAS.has(zone.kind)) {
      throw conflict(
        'Secondary and consumer zones cannot be rectified here: they are transferred from a primary'
      )
    }
    if (!isSigned(await changeableState(context))) {
      throw conflict('The zone is not signed: there is nothing to rectify')
    }
    await changeSigning(this.directory.backend, intent, zone, {
      action: 'zone.rectified',
      detail: {},
      movesSerial: false,
      call: () => signing.rectify(zone),
    })
  }
}
