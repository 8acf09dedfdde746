import { inject } from '@adonisjs/core'
import logger from '@adonisjs/core/services/logger'
import type { BackendZone } from '#backends/contract/backend'
import {
  BackendUnavailable,
  CapabilityMissing,
  NothingDone,
  WriteRefused,
} from '#backends/contract/errors'
import type { Intent } from '#changes/model/intent'
import dnssec from '#config/dnssec'
import { withoutValues } from '#exceptions/database_errors'
import { Refusal } from '#exceptions/refusal'
import { NO_SIGNING, SigningDirectory } from '#zones/dnssec/signing_context'
import { ZoneSigningStates } from '#zones/dnssec/zone_signing'

/** What came of the wish to sign a zone that was made. */
export interface BirthSigning {
  /** `unconfirmed`: the name server did not answer, or something else failed, and nobody knows. */
  outcome: 'signed' | 'not_signed' | 'unconfirmed'
  /** Why it is not known to be signed; null where it is. */
  reason: string | null
}

/** Signs zones right after they were made (`enable_dnssec` of POST /zones). */
@inject()
export class SignNewZone {
  constructor(
    private readonly directory: SigningDirectory,
    private readonly states: ZoneSigningStates
  ) {}

  /** Whether zones can be signed here at all: for offering it. */
  get isOffered(): boolean {
    return dnssec.enabled && this.directory.backend.signing !== undefined
  }

  /** Whether the wish counts: not where `dnssec.enabled` is off. */
  counts(isWished: boolean | undefined): boolean {
    return isWished === true && dnssec.enabled
  }

  /** Throws a `CapabilityMissing` where nobody signs zones: then none is made that is to be signed. */
  demandSigner(): void {
    if (!this.directory.backend.signing) {
      throw new CapabilityMissing(NO_SIGNING)
    }
  }

  /** Signs the zone. It is there, whatever becomes of this: what stands in the way is told, and not thrown. */
  async sign(intent: Intent, zone: BackendZone): Promise<BirthSigning> {
    const { signing } = this.directory.backend
    if (!signing) {
      return { outcome: 'not_signed', reason: NO_SIGNING }
    }
    try {
      // The request has been carried out: it is settled, and this goes with it.
      const own = { ...intent, planHash: null, repeatId: null }
      await this.states.sign(own, { zone, signing })
      return { outcome: 'signed', reason: null }
    } catch (error) {
      if (error instanceof Refusal) {
        return { outcome: 'not_signed', reason: error.message }
      }
      if (error instanceof WriteRefused) {
        const reason = `The name server does not accept this: ${error.message}`
        return { outcome: 'not_signed', reason }
      }
      if (error instanceof NothingDone) {
        return { outcome: 'not_signed', reason: 'The DNS server cannot be reached' }
      }
      logger.error({ err: withoutValues(error), zone: zone.name }, 'A new zone was not signed')
      const isUnanswered = error instanceof BackendUnavailable
      const reason = isUnanswered
        ? 'The DNS server did not answer when it was asked'
        : 'Something failed while the zone was signed'
      return { outcome: 'unconfirmed', reason }
    }
  }
}
