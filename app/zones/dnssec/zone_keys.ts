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
  type OpenedSigning,
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
  async list({ zone, signing }: OpenedSigning): Promise<SigningKey[]> {
    const { keys } = await signing.state(zone)
    return keys
  }

  /** Throws a 404 `Refusal` for a key that this zone does not have. */
  async find({ zone, signing }: OpenedSigning, keyId: number): Promise<KeyInZone> {
    return keyIn(await signing.state(zone), keyId)
  }

  /** Throws a 400 `Refusal` for an invalid key, and a 409 for a presigned zone. */
  async add(intent: Intent, opened: OpenedSigning, input: AddKeyInput): Promise<CreatedKey> {
    const key = await addedKey(opened.signing, input)
    await changeableState(opened)
    return this.#createKey(intent, opened, key, { algorithm: input.algorithm.toLowerCase() })
  }

  /** As `add`, for an existing key. */
  async import(intent: Intent, opened: OpenedSigning, input: ImportKeyInput): Promise<CreatedKey> {
    const { algorithm, ...key } = await importedKey(opened.signing, input)
    await changeableState(opened)
    const detail = { algorithm: algorithmName(algorithm), imported: true }
    return this.#createKey(intent, opened, key, detail)
  }

  /** Activates or deactivates a key. Throws as `find`, and a 409 `Refusal` for a presigned zone. */
  setActive(
    intent: Intent,
    opened: OpenedSigning,
    keyId: number,
    active: boolean
  ): Promise<KeyChange> {
    return signingQueue.run(opened.zone.id, () => this.#setActive(intent, opened, keyId, active))
  }

  async #setActive(
    intent: Intent,
    opened: OpenedSigning,
    keyId: number,
    active: boolean
  ): Promise<KeyChange> {
    const found = keyIn(await changeableState(opened), keyId)
    if (found.key.active === active) {
      return { ...found, changed: false, unfinished: null }
    }
    const { zone, signing } = opened
    const { refusal } = await changeSigning(this.directory.backend, intent, zone, {
      action: 'zone.key_changed',
      detail: { ...auditDetail(found), active },
      movesSerial: true,
      call: () => signing.setActive(zone, found.key, active),
    })
    return { ...(await this.find(opened, keyId)), changed: true, unfinished: refusal }
  }

  /** Returns the unfinished part, see `SigningResult`. Throws as `setActive`. */
  delete(intent: Intent, opened: OpenedSigning, keyId: number): Promise<string | null> {
    return signingQueue.run(opened.zone.id, () => this.#delete(intent, opened, keyId))
  }

  async #delete(intent: Intent, opened: OpenedSigning, keyId: number): Promise<string | null> {
    const found = keyIn(await changeableState(opened), keyId)
    const { zone, signing } = opened
    const { refusal } = await changeSigning(this.directory.backend, intent, zone, {
      action: 'zone.key_deleted',
      detail: { ...auditDetail(found), active: found.key.active },
      movesSerial: true,
      call: () => signing.deleteKey(zone, keyId),
    })
    return refusal
  }

  async #createKey(
    intent: Intent,
    opened: OpenedSigning,
    key: NewSigningKey,
    detail: Detail
  ): Promise<CreatedKey> {
    const { zone, signing } = opened
    const { result, refusal } = await changeSigning(this.directory.backend, intent, zone, {
      action: 'zone.key_added',
      detail: { ...detail, role: key.role, active: key.active },
      movesSerial: true,
      call: async () => {
        const id = await signing.addKey(zone, key)
        return { id, found: await this.#readBack(opened, id) }
      },
      detailOf: (created) => ({
        key_id: created.id,
        tag: created.found && keyTag(created.found.key.dnskey),
      }),
    })
    const found = result.found ?? (await this.find(opened, result.id))
    return { ...found, unfinished: refusal }
  }

  /** Returns the new key; null if it cannot be read. The key exists in both cases. */
  async #readBack(opened: OpenedSigning, keyId: number): Promise<KeyInZone | null> {
    try {
      return await this.find(opened, keyId)
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
