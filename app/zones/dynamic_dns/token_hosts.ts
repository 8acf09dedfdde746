import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { AccessDenied } from '#access/demand'
import { factsOf } from '#access/ownership'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { adoptZone } from '#changes/recovery/reconcile'
import { InvalidDns } from '#dns/errors'
import { absoluteName } from '#dns/names'
import { forbidden, invalid, notFound } from '#exceptions/refusal'
import { closestZone } from '#changes/zone_index/closest_zone'

/** Names that a token is to be for. */
export interface TokenHosts {
  /** Canonical, each once. */
  hosts: string[]
  /** The zones they are in, name by id, each with an own row that a restriction can point to. */
  zones: Map<number, string>
}

/** Finds the hosts that tokens are made for. */
@inject()
export class HostsOfTokens {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * The names, each in a zone whose addresses all of the actors may write: who asks, and the user of the token.
   *
   * Throws a 400 `Refusal` for a name that is none, a 404 for one in no zone that they know of, and a 403 where one of
   * them may not write its addresses, or only asks for that.
   */
  async resolve(actors: Actor[], names: string[]): Promise<TokenHosts> {
    const hosts = [...new Set(names.map(hostNamed))]
    if (hosts.length === 0) {
      throw invalid("Field 'hostnames' must name at least one host")
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
    const missing = notFound(`Hostname '${name}' is not contained in any zone that you may edit`)
    const found = await closestZone(this.#backend, name)
    const zone = found && (await this.#backend.findZone(found.id))
    if (!zone) {
      throw missing
    }
    const facts = await factsOf(zone)
    for (const actor of actors) {
      for (const request of [
        { action: 'key.reach' as const, zoneId: zone.id, zoneName: zone.name },
        { action: 'rrset.write' as const, zone: facts, name, type: 'A' },
      ]) {
        const decision = authorize(actor, request)
        if (!decision.allowed) {
          const denied = new AccessDenied(actor, request, decision)
          // A name outside of what the key is for is as one that is not there.
          const isHidden = decision.hidden || request.action === 'key.reach'
          throw isHidden ? missing.because(denied) : denied
        }
        // A device waits for nobody: its updates are made at once, or refused.
        if (decision.review) {
          throw forbidden(
            `Changes of '${name}' by ${actor.username} go through review: a token could never update its addresses`
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
