import { inject } from '@adonisjs/core'
import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { record } from '#audit/record'
import type { BackendZone } from '#backends/contract/backend'
import { CapabilityMissing } from '#backends/contract/errors'
import { BackendManager } from '#backends/manager'
import { CallRefused, type NameServer } from '#backends/contract/name_server'
import { isReplica } from '#backends/contract/zone_kinds'
import type { Intent } from '#changes/model/intent'
import { finishWrite } from '#changes/idempotency/finish_write'
import { inTransaction } from '#database/transaction'
import { invalid } from '#exceptions/refusal'
import { ZoneDirectory } from '#zones/directory'

/** What the name server can be told about a zone. */
export type ServerCall = 'notify' | 'retrieve' | 'flush'

const EVENTS = {
  notify: 'zone.notified',
  retrieve: 'zone.retrieved',
  flush: 'zone.flushed',
} as const satisfies Record<ServerCall, string>

/** A zone about which the name server is to be told something. */
export interface OpenedCall {
  zone: BackendZone
  server: NameServer
}

/** Tells the name server what people ask of it about a zone. */
@inject()
export class NameServerCalls {
  readonly #server: NameServer | undefined

  constructor(
    manager: BackendManager,
    private readonly directory: ZoneDirectory
  ) {
    this.#server = manager.use().nameServer
  }

  /** Throws as `ZoneDirectory.open`, then a `CapabilityMissing` where the name server cannot be called. */
  async open(actor: Actor, zoneId: number): Promise<OpenedCall> {
    const { zone } = await this.directory.open(actor, zoneId, 'zone.tell_server')
    if (!this.#server) {
      throw new CapabilityMissing(
        'This needs the HTTP API of the PowerDNS server: it is not configured (settings pdns_api.url and pdns_api.key)'
      )
    }
    return { zone, server: this.#server }
  }

  /**
   * Tells it. Throws a 400 `Refusal` where that means nothing for a zone of this kind or the server does not do it,
   * with its own words, and `BackendUnavailable` where it does not answer.
   */
  async tell(intent: Intent, { zone, server }: OpenedCall, call: ServerCall): Promise<void> {
    if (call === 'retrieve' && !isReplica(zone)) {
      throw invalid(
        `Only Secondary and Consumer zones are fetched from a primary; '${zone.name}' is ${zone.kind}`
      )
    }
    if (!intent.dryRun) {
      // Outside of the transaction: the server writes to the same database. Harmless where it comes twice.
      await ask(server, zone, call)
    }
    await inTransaction(db.connection(), async (trx) => {
      const object = { kind: 'zone' as const, id: zone.id, name: zone.name }
      await record(trx, intent.actor, { action: EVENTS[call], object })
      await finishWrite(trx, intent)
    })
  }
}

async function ask(server: NameServer, zone: BackendZone, call: ServerCall): Promise<void> {
  try {
    await server[call](zone)
  } catch (error) {
    throw error instanceof CallRefused
      ? invalid(`The name server refuses: ${error.message}`).because(error)
      : error
  }
}
