import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { AccessDenied } from '#access/demand'
import { loadZoneFacts } from '#access/ownership'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { adoptZone } from '#changes/recovery/reconcile'
import { InvalidDns } from '#dns/errors'
import { absoluteName } from '#dns/names'
import { forbidden, invalid, notFound } from '#exceptions/refusal'
import { findClosestZone } from '#changes/zone_index/closest_zone'

/** Hosts of a token. */
export interface TokenHosts {
  /** Canonical, without duplicates. */
  hosts: string[]
  /** Names of their zones by id. Each zone has a zone row that a restriction can reference. */
  zones: Map<number, string>
}

/** Finds the hosts for new tokens. */
@inject()
export class HostsOfTokens {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * Finds the zone of each name. All actors must be able to write its addresses: the caller and the
   * user of the token.
   *
   * Throws a 400 `Refusal` for an invalid name, a 404 without a visible zone, and a 403 if an actor
   * may not write the addresses or only request it.
   */
  async resolve(actors: Actor[], names: string[]): Promise<TokenHosts> {
    const hosts = [...new Set(names.map(hostNamed))]
    if (hosts.length === 0) {
      throw invalid("Field 'hostnames' must contain at least one host")
    }
    const zones = new Map<number, string>()
    for (const name of hosts) {
      const zone = await this.#zoneOf(actors, name)
      await adoptZone(this.#backend, zone)
      zones.set(zone.id, zone.name)
    }
    return { hosts, zones }
  }

  async #zoneOf(actors: Actor[], name: string) {
    const missing = notFound(`Hostname '${name}' is not contained in any zone that you can edit`)
    const found = await findClosestZone(this.#backend, name)
    const zone = found && (await this.#backend.findZone(found.id))
    if (!zone) {
      throw missing
    }
    const facts = await loadZoneFacts(zone)
    for (const actor of actors) {
      for (const request of [
        { action: 'key.reach' as const, zoneId: zone.id, zoneName: zone.name },
        { action: 'rrset.write' as const, zone: facts, name, type: 'A' },
      ]) {
        const decision = authorize(actor, request)
        if (!decision.allowed) {
          const denied = new AccessDenied(actor, request, decision)
          // A name outside the key's restriction gives the same answer as a missing name.
          const isHidden = decision.hidden || request.action === 'key.reach'
          throw isHidden ? missing.because(denied) : denied
        }
        // A device cannot wait for a review: its updates are applied or refused at once.
        if (decision.review) {
          throw forbidden(
            `Changes to '${name}' by ${actor.username} need approval: a token could not update its addresses`
          )
        }
      }
    }
    return facts
  }
}

function hostNamed(text: string): string {
  try {
    return absoluteName(text.trim())
  } catch (error) {
    throw error instanceof InvalidDns ? invalid(`Invalid hostname: ${error.message}`) : error
  }
}
