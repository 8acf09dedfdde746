import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import type { BackendZone, DnsBackend, SigningState, ZoneSigning } from '#backends/contract/backend'
import { CapabilityMissing } from '#backends/contract/errors'
import { BackendManager } from '#backends/manager'
import dnssec from '#config/dnssec'
import { conflict, invalid } from '#exceptions/refusal'
import { ZoneDirectory } from '#zones/directory'

/** What is told where nobody signs zones. */
export const NO_SIGNING =
  'DNSSEC needs the HTTP API of the PowerDNS server: it is not configured (settings pdns_api.url and pdns_api.key)'

/** A zone whose signing the caller may read or change, and who signs it. */
export interface OpenedSigning {
  zone: BackendZone
  signing: ZoneSigning
}

/** What somebody wants of the signing of a zone. */
export type SigningPurpose =
  | 'read'
  /** Signs or unsigns; says nothing of keys that the zone does not serve. */
  | 'sign'
  /** Rectifies. */
  | 'rectify'
  /** Changes keys; their answers tell of them. */
  | 'keys'

/** Opens zones for what concerns their signing. */
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
   * Throws, in this order: as `ZoneDirectory.open`, a `CapabilityMissing` where nobody signs zones, and a 400
   * `Refusal` for changes where `dnssec.enabled` is off.
   */
  async open(actor: Actor, zoneId: number, purpose: SigningPurpose): Promise<OpenedSigning> {
    const action = purpose === 'read' ? 'zone.view' : 'zone.manage_dnssec'
    const { zone, facts } = await this.directory.open(actor, zoneId, action)
    if (purpose === 'keys') {
      demand(actor, { action: 'zone.view', zone: facts })
    }
    const { signing } = this.backend
    if (!signing) {
      throw new CapabilityMissing(NO_SIGNING)
    }
    if ((purpose === 'sign' || purpose === 'keys') && !dnssec.enabled) {
      throw invalid('DNSSEC is switched off on this server (setting dnssec.enabled)')
    }
    return { zone, signing }
  }
}

/** How the zone is signed, for a change. Throws a 409 `Refusal` where it came signed from elsewhere. */
export async function ownState({ zone, signing }: OpenedSigning): Promise<SigningState> {
  const state = await signing.state(zone)
  if (state.isPresigned) {
    throw conflict('The zone is presigned: its signatures come from elsewhere, and so do its keys')
  }
  return state
}

/** Whether the zone is served signed. */
export function isSigned({ isPresigned, keys }: SigningState): boolean {
  return isPresigned || keys.some(({ active }) => active)
}
