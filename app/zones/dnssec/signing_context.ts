import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import type { BackendZone, DnsBackend, SigningState, ZoneSigning } from '#backends/contract/backend'
import { CapabilityMissing } from '#backends/contract/errors'
import { BackendManager } from '#backends/manager'
import dnssec from '#config/dnssec'
import { conflict, invalid } from '#exceptions/refusal'
import { ZoneDirectory } from '#zones/directory'

/** Message of the `CapabilityMissing` error. */
export const NO_SIGNING =
  'DNSSEC needs the HTTP API of the PowerDNS server: it is not configured (settings pdns_api.url and pdns_api.key)'

/** A zone whose signing the caller may view or edit, and the API that signs it. */
export interface SigningContext {
  zone: BackendZone
  signing: ZoneSigning
}

/** Purpose for which the signing of a zone is opened. */
export type SigningPurpose =
  | 'read'
  /** Signs or unsigns; does not reveal keys that the zone does not serve. */
  | 'sign'
  /** Rectifies. */
  | 'rectify'
  /** Edits keys; the answers contain keys. */
  | 'keys'
  /** Imports a key whose private part may be known to others. */
  | 'import'

/** Opens zones for DNSSEC requests. */
@inject()
export class SigningDirectory {
  readonly backend: DnsBackend

  constructor(
    manager: BackendManager,
    private readonly directory: ZoneDirectory
  ) {
    this.backend = manager.use()
  }

  /**
   * Throws, in this order: as `ZoneDirectory.open`, `CapabilityMissing` if the backend cannot sign
   * zones, and a 400 `Refusal` for changes if `dnssec.enabled` is off.
   */
  async open(actor: Actor, zoneId: number, purpose: SigningPurpose): Promise<SigningContext> {
    const action = purpose === 'read' ? 'zone.view' : 'zone.manage_dnssec'
    const { zone, facts } = await this.directory.open(actor, zoneId, action)
    if (purpose === 'keys' || purpose === 'import') {
      demand(actor, { action: 'zone.view', zone: facts })
    }
    if (purpose === 'import') {
      const subject = 'imported DNSSEC keys'
      demand(actor, { action: 'key.open', access: 'write', what: subject })
    }
    const { signing } = this.backend
    if (!signing) {
      throw new CapabilityMissing(NO_SIGNING)
    }
    if (['sign', 'keys', 'import'].includes(purpose) && !dnssec.enabled) {
      throw invalid('DNSSEC is disabled on this server (setting dnssec.enabled)')
    }
    return { zone, signing }
  }
}

/** Returns the signing state for a change. Throws a 409 `Refusal` for a presigned zone. */
export async function changeableState({ zone, signing }: SigningContext): Promise<SigningState> {
  const state = await signing.state(zone)
  if (state.isPresigned) {
    throw conflict('The zone is presigned: another server manages its signatures and keys')
  }
  return state
}

/** Returns whether the zone is served with signatures. */
export function isSigned({ isPresigned, keys }: SigningState): boolean {
  return isPresigned || keys.some(({ active }) => active)
}
