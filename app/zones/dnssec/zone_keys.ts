import { inject } from '@adonisjs/core'
import type { Detail } from '#audit/event'
import type { NewSigningKey, SigningKey, SigningState } from '#backends/contract/backend'
import { BackendUnavailable } from '#backends/contract/errors'
import type { Intent } from '#changes/model/intent'
import { changeSigning } from '#changes/signing/change_signing'
import { keyTag, roleOf } from '#dns/dnssec/key_roles'
import { algorithmName } from '#dns/dnssec/signing_algorithms'
import { notFound, Refusal } from '#exceptions/refusal'
import {
  addedKey,
  importedKey,
  type AddKeyInput,
  type ImportKeyInput,
} from '#zones/dnssec/key_requests'
import { signingQueue } from '#zones/dnssec/queue'
import {
  changeableState,
  SigningDirectory,
  type SigningContext,
} from '#zones/dnssec/signing_context'

/** A key with all keys of its zone, which decide its role. */
export interface KeyInZone {
  key: SigningKey
  keys: SigningKey[]
}

/** A new key; `SigningResult` describes `unfinished`. */
export interface CreatedKey extends KeyInZone {
  unfinished: string | null
}

/** A changed key, and whether the request changed it. */
export interface KeyChange extends CreatedKey {
  changed: boolean
}

/** DNSSEC keys of zones. `SigningDirectory` opens the zones. */
@inject()
export class ZoneKeys {
  constructor(private readonly directory: SigningDirectory) {}

  /** Returns all keys, by id. */
  async list({ zone, signing }: SigningContext): Promise<SigningKey[]> {
    const { keys } = await signing.state(zone)
    return keys
  }

  /** Throws a 404 `Refusal` for a key that this zone does not have. */
  async find({ zone, signing }: SigningContext, keyId: number): Promise<KeyInZone> {
    return keyIn(await signing.state(zone), keyId)
  }

  /** Throws a 400 `Refusal` for an invalid key, and a 409 for a presigned zone. */
  async add(intent: Intent, context: SigningContext, input: AddKeyInput): Promise<CreatedKey> {
    const key = await addedKey(context.signing, input)
    await changeableState(context)
    return this.#createKey(intent, context, key, { algorithm: input.algorithm.toLowerCase() })
  }

  /** As `add`, for an existing key. */
  async import(
    intent: Intent,
    context: SigningContext,
    input: ImportKeyInput
  ): Promise<CreatedKey> {
    const { algorithm, ...key } = await importedKey(context.signing, input)
    await changeableState(context)
    const detail = { algorithm: algorithmName(algorithm), imported: true }
    return this.#createKey(intent, context, key, detail)
  }

  /** Activates or deactivates a key. Throws as `find`, and a 409 `Refusal` for a presigned zone. */
  setActive(
    intent: Intent,
    context: SigningContext,
    keyId: number,
    active: boolean
  ): Promise<KeyChange> {
    return signingQueue.run(context.zone.id, () => this.#setActive(intent, context, keyId, active))
  }

  async #setActive(
    intent: Intent,
    context: SigningContext,
    keyId: number,
    active: boolean
  ): Promise<KeyChange> {
    const existingKey = keyIn(await changeableState(context), keyId)
    if (existingKey.key.active === active) {
      return { ...existingKey, changed: false, unfinished: null }
    }
    const { zone, signing } = context
    const { refusal } = await changeSigning(this.directory.backend, intent, zone, {
      action: 'zone.key_changed',
      detail: { ...auditDetail(existingKey), active },
      movesSerial: true,
      call: () => signing.setActive(zone, existingKey.key, active),
    })
    return { ...(await this.find(context, keyId)), changed: true, unfinished: refusal }
  }

  /** Returns the unfinished part, see `SigningResult`. Throws as `setActive`. */
  delete(intent: Intent, context: SigningContext, keyId: number): Promise<string | null> {
    return signingQueue.run(context.zone.id, () => this.#delete(intent, context, keyId))
  }

  async #delete(intent: Intent, context: SigningContext, keyId: number): Promise<string | null> {
    const existingKey = keyIn(await changeableState(context), keyId)
    const { zone, signing } = context
    const { refusal } = await changeSigning(this.directory.backend, intent, zone, {
      action: 'zone.key_deleted',
      detail: { ...auditDetail(existingKey), active: existingKey.key.active },
      movesSerial: true,
      call: () => signing.deleteKey(zone, keyId),
    })
    return refusal
  }

  async #createKey(
    intent: Intent,
    context: SigningContext,
    key: NewSigningKey,
    detail: Detail
  ): Promise<CreatedKey> {
    const { zone, signing } = context
    const { result, refusal } = await changeSigning(this.directory.backend, intent, zone, {
      action: 'zone.key_added',
      detail: { ...detail, role: key.role, active: key.active },
      movesSerial: true,
      call: async () => {
        const id = await signing.addKey(zone, key)
        return { id, found: await this.#readCreatedKey(context, id) }
      },
      detailOf: (created) => ({
        key_id: created.id,
        tag: created.found && keyTag(created.found.key.dnskey),
      }),
    })
    const existingKey = result.found ?? (await this.find(context, result.id))
    return { ...existingKey, unfinished: refusal }
  }

  /** Returns the new key; null if it cannot be read. The key exists in both cases. */
  async #readCreatedKey(context: SigningContext, keyId: number): Promise<KeyInZone | null> {
    try {
      return await this.find(context, keyId)
    } catch (error) {
      if (error instanceof BackendUnavailable || error instanceof Refusal) {
        return null
      }
      throw error
    }
  }
}

function keyIn({ keys }: SigningState, keyId: number): KeyInZone {
  const key = keys.find(({ id }) => id === keyId)
  if (!key) {
    throw notFound('DNSSEC key not found')
  }
  return { key, keys }
}

/** Detail of the audit event. */
function auditDetail({ key, keys }: KeyInZone): Detail {
  return {
    key_id: key.id,
    tag: keyTag(key.dnskey),
    role: roleOf(key, keys),
    algorithm: algorithmName(key.algorithm),
  }
}
