import { setTimeout as wait } from 'node:timers/promises'
import {
  BackendUnavailable,
  NotExecuted,
  SigningKeyMissing,
  SigningRefused,
} from '#backends/contract/errors'
import { zonePath } from '#backends/powerdns_api/http/address'
import type { PowerDnsClient, WriteMethod } from '#backends/powerdns_api/client'
import {
  invalidAnswer,
  NOT_ALLOWED_STATUSES,
  PowerDnsConflict,
  PowerDnsInvalid,
  PowerDnsMissing,
  PowerDnsRefusal,
} from '#backends/powerdns_api/errors'
import {
  parseCreatedKeyId,
  parseMetadataValues,
  parseSigningKeys,
} from '#backends/powerdns_api/parsers/keys'
import { isAtLeast } from '#backends/powerdns_api/server_info'
import type {
  NewSigningKey,
  SigningKey,
  SigningState,
  ZoneSigning,
} from '#backends/contract/signing'
import type { BackendZone } from '#backends/contract/types'

/** Time-out in seconds: signing a large zone and generating an RSA key are slow. */
const LONG_TIMEOUT_SECONDS = 60

/** First versions of PowerDNS that generate keys of an algorithm. All versions support the others. */
const MIN_VERSION_BY_ALGORITHM = new Map([
  [15, '4.1'],
  [16, '4.2'],
])
const ALGORITHMS = [5, 7, 8, 10, 13, 14, 15, 16]

/** Pauses between attempts of a call that can be repeated. */
const RETRY_PAUSES_MS = [100, 400, null]

/** Signing through the HTTP API of the PowerDNS server. */
export class PowerDnsSigning implements ZoneSigning {
  constructor(private readonly client: PowerDnsClient) {}

  async state(zone: BackendZone): Promise<SigningState> {
    const path = zonePath(zone.name)
    const [presigned, keys] = await Promise.all([
      this.client.get(`${path}/metadata/PRESIGNED`),
      this.client.get(`${path}/cryptokeys`),
    ])
    return {
      isPresigned: parseMetadataValues(presigned).includes('1'),
      keys: parseSigningKeys(keys),
    }
  }

  async algorithms(): Promise<ReadonlySet<number>> {
    const { version } = await this.client.server()
    return new Set(
      ALGORITHMS.filter((number) =>
        isAtLeast(version, MIN_VERSION_BY_ALGORITHM.get(number) ?? '0.0')
      )
    )
  }

  async sign(zone: BackendZone): Promise<void> {
    await this.#setSigned(zone, true)
  }

  async unsign(zone: BackendZone): Promise<void> {
    await this.#setSigned(zone, false)
  }

  async #setSigned(zone: BackendZone, dnssec: boolean): Promise<void> {
    await this.#flushKeyCache(zone)
    await this.#setSignedWithRetries(zone, dnssec)
    const stateAfter = await this.#stateIfReadable(zone)
    if (stateAfter && hasActiveKey(stateAfter) !== dnssec) {
      throw invalidAnswer(dnssec ? 'the zone has no active key' : 'the zone still has keys')
    }
  }

  /** Flushes the key cache of the server: another tool may have changed the keys. */
  async #flushKeyCache(zone: BackendZone): Promise<void> {
    try {
      await this.client.flushCache(zone.name)
    } catch (error) {
      throw error instanceof BackendUnavailable && !(error instanceof NotExecuted)
        ? new NotExecuted(error.message, { cause: error })
        : error
    }
  }

  /**
   * Repeats the call after an internal error of the server, such as a locked SQLite database: the call states the resulting
   * state, and can be repeated.
   */
  async #setSignedWithRetries(zone: BackendZone, dnssec: boolean): Promise<void> {
    let isFirst = true
    for (const pause of RETRY_PAUSES_MS) {
      try {
        await this.#send('PUT', zonePath(zone.name), { dnssec })
        return
      } catch (error) {
        const isNotExecuted = error instanceof SigningRefused || error instanceof NotExecuted
        if (isNotExecuted && !isFirst) {
          // This refusal does not prove that the earlier attempt changed nothing.
          throw new BackendUnavailable(error.message, { cause: error })
        }
        isFirst = false
        if (!(error instanceof PowerDnsRefusal) || error.status !== 500 || pause === null) {
          throw error
        }
        const stateAfter = await this.#stateIfReadable(zone)
        if (!stateAfter) {
          throw error
        }
        if (hasActiveKey(stateAfter) === dnssec) {
          return
        }
        await wait(pause)
      }
    }
  }

  /** null if it cannot be read: the confirmed change is done in any case. */
  async #stateIfReadable(zone: BackendZone): Promise<SigningState | null> {
    try {
      return await this.state(zone)
    } catch (error) {
      if (error instanceof BackendUnavailable) {
        return null
      }
      throw error
    }
  }

  async rectify(zone: BackendZone): Promise<void> {
    await this.#send('PUT', `${zonePath(zone.name)}/rectify`)
  }

  async addKey(zone: BackendZone, { role, active, material }: NewSigningKey): Promise<number> {
    const content = 'privateKey' in material ? { content: material.privateKey } : material
    const body = { keytype: role, active, published: true, ...content }
    const path = `${zonePath(zone.name)}/cryptokeys`
    return parseCreatedKeyId(await this.#send('POST', path, body, 'privateKey' in material))
  }

  async setActive(zone: BackendZone, key: SigningKey, active: boolean): Promise<void> {
    // Without `published` the server publishes the key.
    const body = { active, published: key.published }
    await this.#changeKey('PUT', zone, key.id, body)
  }

  async deleteKey(zone: BackendZone, keyId: number): Promise<void> {
    await this.#changeKey('DELETE', zone, keyId)
  }

  async #changeKey(
    method: WriteMethod,
    zone: BackendZone,
    keyId: number,
    body?: object
  ): Promise<void> {
    try {
      await this.#send(method, `${zonePath(zone.name)}/cryptokeys/${keyId}`, body)
    } catch (error) {
      const isMissing = error instanceof SigningRefused && error.cause instanceof PowerDnsMissing
      throw isMissing ? new SigningKeyMissing(error.message) : error
    }
  }

  async #send(
    method: WriteMethod,
    path: string,
    body?: object,
    isSecret = false
  ): Promise<unknown> {
    try {
      return await this.client.send(method, path, body, { timeout: LONG_TIMEOUT_SECONDS, isSecret })
    } catch (error) {
      const isRefused =
        error instanceof PowerDnsInvalid ||
        error instanceof PowerDnsConflict ||
        error instanceof PowerDnsMissing
      if (isRefused) {
        throw new SigningRefused(error.reason || error.message, { cause: error })
      }
      const isNotExecuted =
        error instanceof PowerDnsRefusal && NOT_ALLOWED_STATUSES.has(error.status)
      throw isNotExecuted ? new NotExecuted(error.message, { cause: error }) : error
    }
  }
}

function hasActiveKey({ keys }: SigningState): boolean {
  return keys.some(({ active }) => active)
}
