import { inject } from '@adonisjs/core'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import type { AuditEvent } from '#audit/event'
import { record } from '#audit/record'
import {
  AutoprimaryExists,
  AutoprimaryMoved,
  isSameAutoprimary,
  type Autoprimaries as Store,
  type Autoprimary,
  type AutoprimaryKey,
} from '#backends/contract/autoprimaries'
import { CapabilityMissing } from '#backends/contract/errors'
import { BackendManager } from '#backends/manager'
import type { Intent } from '#changes/model/intent'
import { finishWrite } from '#changes/idempotency/finish_write'
import { inTransaction } from '#database/transaction'
import { ipv4, ipv6, isIpv4 } from '#dns/addresses/address_text'
import { InvalidDns } from '#dns/errors'
import { hostName } from '#dns/names'
import { conflict, notFound, Refusal } from '#exceptions/refusal'
import { stateTag } from '#exceptions/state_tag'
import { defineList } from '#lists/declaration'
import { listInMemory } from '#lists/memory/sort_in_memory'
import type { Listed } from '#lists/list_result'
import type { ListQuery } from '#lists/query'

/** The longest that PowerDNS' tables take. */
const MAX_ACCOUNT = 40

/** What the list of autoprimaries can be asked for. */
export const AUTOPRIMARY_LIST = defineList({
  sort: { ip: 'natural', nameserver: 'natural', account: 'natural' },
  search: ['ip', 'nameserver', 'account'],
  names: ['nameserver'],
  defaultOrder: [{ field: 'ip' }, { field: 'nameserver' }, { field: 'id' }],
  short: 'servers of others that are trusted',
})

type AutoprimaryQuery = ListQuery<keyof typeof AUTOPRIMARY_LIST.sort, never>

/** An autoprimary in a list. */
export interface ListedAutoprimary extends Autoprimary {
  /** Tells it from all others: its address below `/autoprimaries`. */
  id: string
}

/** An autoprimary as it is asked for. */
export interface AutoprimaryInput {
  ip: string
  nameserver: string
  account: string
}

/** Of what a form shows of an autoprimary beside its key: another one once that changed. */
export function autoprimaryTag({ account }: Pick<Autoprimary, 'account'>): string {
  return stateTag([account])
}

/**
 * The primaries that may bring zones to the name server by telling of them. Everything throws a 403 `Refusal` for
 * whoever may not do it, and `CapabilityMissing` where the backend keeps none.
 */
@inject()
export class Autoprimaries {
  readonly #store: Store | undefined

  constructor(manager: BackendManager) {
    this.#store = manager.use().autoprimaries
  }

  async list(actor: Actor, query: AutoprimaryQuery): Promise<Listed<ListedAutoprimary>> {
    demand(actor, { action: 'server.view_autoprimaries' })
    const known = await this.#known()
    const rows = known.map((one) => ({ id: `${one.ip}/${one.nameserver}`, ...one }))
    return listInMemory(AUTOPRIMARY_LIST, query, rows)
  }

  /** One of them. Throws a 404 `Refusal` where there is none of this key. */
  async find(actor: Actor, key: AutoprimaryKey): Promise<Autoprimary> {
    demand(actor, { action: 'server.edit_autoprimaries' })
    return this.#find(key)
  }

  /** Throws `InvalidDns`, and a 409 `Refusal` where there is such a one. */
  async add(intent: Intent, input: AutoprimaryInput): Promise<Autoprimary> {
    const added = canonical(input)
    const event: AuditEvent = { action: 'autoprimary.added', detail: { ...added } }
    await this.#write(intent, event, (store, trx) => store.add(added, trx))
    return added
  }

  /**
   * Absent members stay. Throws as `add`, a 404 `Refusal` where there is none of this key, and a 412 where it is not as it
   * was seen, if that is given.
   *
   * @param seen its `autoprimaryTag` then
   */
  async change(
    intent: Intent,
    key: AutoprimaryKey,
    patch: Partial<AutoprimaryInput>,
    seen?: string
  ): Promise<Autoprimary> {
    const before = asSeen(await this.#find(key), seen)
    const after = canonical({
      ip: patch.ip ?? before.ip,
      nameserver: patch.nameserver ?? before.nameserver,
      account: patch.account ?? before.account,
    })
    if (isSameAutoprimary(before, after) && before.account === after.account) {
      await inTransaction(db.connection(), (trx) => finishWrite(trx, intent))
      return before
    }
    const detail = { before: { ...before }, after: { ...after } }
    const event: AuditEvent = { action: 'autoprimary.changed', detail }
    await this.#write(intent, event, (store, trx) => store.replace(before, after, trx), seen)
    return after
  }

  /** Throws a 404 `Refusal` where there is none of this key, and a 412 as `change`. */
  async remove(intent: Intent, key: AutoprimaryKey, seen?: string): Promise<void> {
    const removed = asSeen(await this.#find(key), seen)
    const event: AuditEvent = { action: 'autoprimary.removed', detail: { ...removed } }
    await this.#write(intent, event, (store, trx) => store.remove(removed, trx), seen)
  }

  get #keeper(): Store {
    if (!this.#store) {
      throw new CapabilityMissing('This backend keeps no autoprimaries (setting dns.backend)')
    }
    return this.#store
  }

  #known(): Promise<Autoprimary[]> {
    return this.#keeper.list()
  }

  /** As it is stored: other tools may have written the name in capitals. */
  async #find({ ip, nameserver }: AutoprimaryKey): Promise<Autoprimary> {
    const wanted = { ip: readable(ip), nameserver: nameserver.replace(/\.$/, '').toLowerCase() }
    const known = await this.#known()
    const found = known.find((one) =>
      isSameAutoprimary(wanted, { ip: readable(one.ip), nameserver: one.nameserver.toLowerCase() })
    )
    if (!found) {
      throw notFound('Autoprimary not found')
    }
    return found
  }

  /** The store comes last: what it does elsewhere is not taken back. */
  async #write(
    intent: Intent,
    event: AuditEvent,
    change: (store: Store, trx: TransactionClientContract) => Promise<void>,
    seen?: string
  ): Promise<void> {
    const store = this.#keeper
    try {
      await inTransaction(db.connection(), async (trx) => {
        await record(trx, intent.actor, event)
        await finishWrite(trx, intent)
        await change(store, trx)
      })
    } catch (error) {
      if (error instanceof AutoprimaryMoved) {
        throw moved(seen).because(error)
      }
      throw error instanceof AutoprimaryExists
        ? conflict('There is already an autoprimary of this address and name server').because(error)
        : error
    }
  }
}

/** What is stored, where it is what somebody saw; writing it asks once more. */
function asSeen(stored: Autoprimary, seen?: string): Autoprimary {
  if (seen !== undefined && seen !== autoprimaryTag(stored)) {
    throw moved(seen)
  }
  return stored
}

/** Whoever said what they saw is told that it is not so; for all others somebody was faster. */
function moved(seen?: string): Refusal {
  return new Refusal(seen === undefined ? 409 : 412, 'The autoprimary was changed in the meantime')
}

/** Throws `InvalidDns`. */
function canonical({ ip, nameserver, account }: AutoprimaryInput): Autoprimary {
  if (account.length > MAX_ACCOUNT) {
    throw new InvalidDns('account', account, `at most ${MAX_ACCOUNT} characters`)
  }
  return {
    ip: isIpv4(ip) ? ipv4(ip, 'ip') : ipv6(ip, 'ip'),
    nameserver: hostName(nameserver, 'nameserver').replace(/\.$/, ''),
    account,
  }
}

/** The canonical form of an address; anything else as it is, which none is like. */
function readable(ip: string): string {
  try {
    return isIpv4(ip) ? ipv4(ip) : ipv6(ip)
  } catch {
    return ip
  }
}
