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

/** Actions of the name server on a zone. */
export type ServerCall = 'notify' | 'retrieve' | 'flush'

const EVENTS = {
  notify: 'zone.notified',
  retrieve: 'zone.retrieved',
  flush: 'zone.flushed',
} as const satisfies Record<ServerCall, string>

/** A zone that is opened for an action of the name server. */
export interface CallContext {
  zone: BackendZone
  server: NameServer
}

/** Calls the name server for a zone on behalf of a user. */
@inject()
export class NameServerCalls {
  readonly #server: NameServer | undefined

  constructor(
    manager: BackendManager,
    private readonly directory: ZoneDirectory
  ) {
    this.#server = manager.use().nameServer
  }

  /**
   * Throws as `ZoneDirectory.open`, then `CapabilityMissing` if the server has no API connection.
   */
  async open(actor: Actor, zoneId: number): Promise<CallContext> {
    const { zone } = await this.directory.open(actor, zoneId, 'zone.tell_server')
    if (!this.#server) {
      throw new CapabilityMissing(
        'This needs the HTTP API of the PowerDNS server: it is not configured (settings pdns_api.url and pdns_api.key)'
      )
    }
    return { zone, server: this.#server }
  }

  /**
   * Calls the server. Throws a 400 `Refusal` if the kind of zone does not allow the action or the
   * server refuses it, with its message. Throws `BackendUnavailable` if the server does not answer.
   */
  async callServer(intent: Intent, { zone, server }: CallContext, call: ServerCall): Promise<void> {
    if (call === 'retrieve' && !isReplica(zone)) {
      throw invalid(
        `Only secondary and consumer zones can be retrieved from a primary; '${zone.name}' is ${zone.kind}`
      )
    }
    if (!intent.dryRun) {
      // Called outside the transaction because the server writes to the same database. A
      // repeated call is harmless.
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
      ? invalid(`The name server refused this: ${error.message}`).because(error)
      : error
  }
}
