import { inject } from '@adonisjs/core'
import logger from '@adonisjs/core/services/logger'
import type { BackendZone } from '#backends/contract/backend'
import {
  BackendUnavailable,
  CapabilityMissing,
  NotExecuted,
  WriteRefused,
} from '#backends/contract/errors'
import type { Intent } from '#changes/model/intent'
import dnssec from '#config/dnssec'
import { withoutValues } from '#exceptions/database_errors'
import { Refusal } from '#exceptions/refusal'
import { NO_SIGNING, SigningDirectory } from '#zones/dnssec/signing_context'
import { ZoneSigningStates } from '#zones/dnssec/zone_signing'

/** Result of a request to sign a new zone. */
export interface NewZoneSigning {
  /**
   * `unconfirmed`: the name server did not answer or another call failed, so the result is unknown.
   */
  outcome: 'signed' | 'not_signed' | 'unconfirmed'
  /** Reason why the zone is not signed or unconfirmed; otherwise null. */
  reason: string | null
}

/** Signs zones after their creation (`enable_dnssec` of POST /zones). */
@inject()
export class SignNewZone {
  constructor(
    private readonly directory: SigningDirectory,
    private readonly states: ZoneSigningStates
  ) {}

  /** Returns whether the backend can sign zones, for the interface. */
  get isOffered(): boolean {
    return dnssec.enabled && this.directory.backend.signing !== undefined
  }

  /** Returns whether the request applies: not if `dnssec.enabled` is off. */
  counts(isRequested: boolean | undefined): boolean {
    return isRequested === true && dnssec.enabled
  }

  /** Throws `CapabilityMissing` if the backend cannot sign zones, before the zone is created. */
  demandSigner(): void {
    if (!this.directory.backend.signing) {
      throw new CapabilityMissing(NO_SIGNING)
    }
  }

  /** Signs the zone. Returns failures as an outcome, because the zone exists already. */
  async sign(intent: Intent, zone: BackendZone): Promise<NewZoneSigning> {
    const { signing } = this.directory.backend
    if (!signing) {
      return { outcome: 'not_signed', reason: NO_SIGNING }
    }
    try {
      // The creation has used the plan hash and the idempotency key.
      const signingIntent = { ...intent, planHash: null, repeatId: null }
      await this.states.sign(signingIntent, { zone, signing })
      return { outcome: 'signed', reason: null }
    } catch (error) {
      if (error instanceof Refusal) {
        return { outcome: 'not_signed', reason: error.message }
      }
      if (error instanceof WriteRefused) {
        const reason = `The name server does not accept this: ${error.message}`
        return { outcome: 'not_signed', reason }
      }
      if (error instanceof NotExecuted) {
        return { outcome: 'not_signed', reason: 'The DNS server cannot be reached' }
      }
      logger.error({ err: withoutValues(error), zone: zone.name }, 'Signing of a new zone failed')
      const isUnanswered = error instanceof BackendUnavailable
      const reason = isUnanswered
        ? 'The DNS server did not answer'
        : 'An internal error occurred while the zone was being signed'
      return { outcome: 'unconfirmed', reason }
    }
  }
}
