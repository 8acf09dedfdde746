import { inject } from '@adonisjs/core'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import type { AuditEvent } from '#audit/event'
import { record } from '#audit/record'
import {
  AutoprimaryExists,
  AutoprimaryChanged,
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
import type { ListResult } from '#lists/list_result'
import type { ListQuery } from '#lists/query'

/** Length of the PowerDNS column, in characters. */
const MAX_ACCOUNT = 40

/** Columns, filters and search of the autoprimary list. */
export const AUTOPRIMARY_LIST = defineList({
  sort: { ip: 'natural', nameserver: 'natural', account: 'natural' },
  search: ['ip', 'nameserver', 'account'],
  names: ['nameserver'],
  defaultOrder: [{ field: 'ip' }, { field: 'nameserver' }, { field: 'id' }],
  shortReason: 'trusted servers of other operators',
})

type AutoprimaryQuery = ListQuery<keyof typeof AUTOPRIMARY_LIST.sort, never>

export interface ListedAutoprimary extends Autoprimary {
  /** Identifier in the API: the path below `/autoprimaries`. */
  id: string
}

/** Input as the caller sends it, not yet canonical. */
export interface AutoprimaryInput {
  ip: string
  nameserver: string
  account: string
}

/** Entity tag of the fields that a form shows, besides the key. */
export function autoprimaryTag({ account }: Pick<Autoprimary, 'account'>): string {
  return stateTag([account])
}

/**
 * Primaries whose NOTIFY creates secondary zones on the name server. Methods throw a 403 `Refusal`
 * without the right, and `CapabilityMissing` if the backend does not support autoprimaries.
 */
@inject()
export class Autoprimaries {
  readonly #store: Store | undefined

  constructor(manager: BackendManager) {
    this.#store = manager.use().autoprimaries
  }

  async list(actor: Actor, query: AutoprimaryQuery): Promise<ListResult<ListedAutoprimary>> {
    demand(actor, { action: 'server.view_autoprimaries' })
    const autoprimaries = await this.#listStored()
    const rows = autoprimaries.map((one) => ({ id: `${one.ip}/${one.nameserver}`, ...one }))
    return listInMemory(AUTOPRIMARY_LIST, query, rows)
  }

  /** Returns the autoprimary with this key. Throws a 404 `Refusal` if none exists. */
  async find(actor: Actor, key: AutoprimaryKey): Promise<Autoprimary> {
    demand(actor, { action: 'server.edit_autoprimaries' })
    return this.#find(key)
  }

  /** Throws `InvalidDns`, and a 409 `Refusal` if the autoprimary exists. */
  async add(intent: Intent, input: AutoprimaryInput): Promise<Autoprimary> {
    const added = canonical(input)
    const event: AuditEvent = { action: 'autoprimary.added', detail: { ...added } }
    await this.#write(intent, event, (store, trx) => store.add(added, trx))
    return added
  }

  /**
   * Replaces the given members; absent members stay. Throws as `add`, and a 404 `Refusal` if no
   * autoprimary has this key.
   *
   * @param expectedTag tag from `autoprimaryTag`; throws a 412 `Refusal` if the stored one differs
   */
  async change(
    intent: Intent,
    key: AutoprimaryKey,
    patch: Partial<AutoprimaryInput>,
    expectedTag?: string
  ): Promise<Autoprimary> {
    demand(intent.actor, { action: 'key.open', access: 'write', what: 'autoprimaries' })
    const before = withExpectedTag(await this.#find(key), expectedTag)
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
    await this.#write(intent, event, (store, trx) => store.replace(before, after, trx), expectedTag)
    return after
  }

  /** Throws a 404 `Refusal` if no autoprimary has this key, and a 412 as `change`. */
  async remove(intent: Intent, key: AutoprimaryKey, expectedTag?: string): Promise<void> {
    const removed = withExpectedTag(await this.#find(key), expectedTag)
    const event: AuditEvent = { action: 'autoprimary.removed', detail: { ...removed } }
    await this.#write(intent, event, (store, trx) => store.remove(removed, trx), expectedTag)
  }

  get #requiredStore(): Store {
    if (!this.#store) {
      throw new CapabilityMissing(
        'This backend does not support autoprimaries (setting dns.backend)'
      )
    }
    return this.#store
  }

  #listStored(): Promise<Autoprimary[]> {
    return this.#requiredStore.list()
  }

  /** Returns the row as stored: other programs may write names in upper case. */
  async #find({ ip, nameserver }: AutoprimaryKey): Promise<Autoprimary> {
    const requested = { ip: readable(ip), nameserver: nameserver.replace(/\.$/, '').toLowerCase() }
    const autoprimaries = await this.#listStored()
    const found = autoprimaries.find((one) =>
      isSameAutoprimary(requested, {
        ip: readable(one.ip),
        nameserver: one.nameserver.toLowerCase(),
      })
    )
    if (!found) {
      throw notFound('Autoprimary not found')
    }
    return found
  }

  /** Changes the store last: a rollback does not reverse a change outside of this database. */
  async #write(
    intent: Intent,
    event: AuditEvent,
    change: (store: Store, trx: TransactionClientContract) => Promise<void>,
    expectedTag?: string
  ): Promise<void> {
    const store = this.#requiredStore
    try {
      await inTransaction(db.connection(), async (trx) => {
        await record(trx, intent.actor, event)
        await finishWrite(trx, intent)
        await change(store, trx)
      })
    } catch (error) {
      if (error instanceof AutoprimaryChanged) {
        throw changedRefusal(expectedTag).because(error)
      }
      throw error instanceof AutoprimaryExists
        ? conflict('An autoprimary with this address and name server already exists').because(error)
        : error
    }
  }
}

/** Checks the entity tag. The store compares the row again when it writes. */
function withExpectedTag(autoprimary: Autoprimary, expectedTag?: string): Autoprimary {
  if (expectedTag !== undefined && expectedTag !== autoprimaryTag(autoprimary)) {
    throw changedRefusal(expectedTag)
  }
  return autoprimary
}

/** 412 if the caller sent an entity tag, otherwise 409. */
function changedRefusal(expectedTag?: string): Refusal {
  return new Refusal(
    expectedTag === undefined ? 409 : 412,
    'The autoprimary was changed in the meantime'
  )
}

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

/** Returns the canonical address, or the text itself if it is no address. */
function readable(ip: string): string {
  try {
    return isIpv4(ip) ? ipv4(ip) : ipv6(ip)
  } catch {
    return ip
  }
}
