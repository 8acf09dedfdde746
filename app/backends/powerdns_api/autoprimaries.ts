import {
  AutoprimaryExists,
  AutoprimaryChanged,
  isSameAutoprimary,
  type Autoprimaries,
  type Autoprimary,
  type AutoprimaryKey,
} from '#backends/contract/autoprimaries'
import { CapabilityMissing } from '#backends/contract/errors'
import type { PowerDnsClient } from '#backends/powerdns_api/client'
import { invalidAnswer, PowerDnsConflict, PowerDnsMissing } from '#backends/powerdns_api/errors'

const PATH = '/autoprimaries'

/** The autoprimaries of a PowerDNS server by its HTTP API (since 4.5), which can create and delete them only. */
export class PowerDnsAutoprimaries implements Autoprimaries {
  constructor(private readonly client: PowerDnsClient) {}

  async list(): Promise<Autoprimary[]> {
    const answer = await this.client.get(PATH).catch((error: unknown) => {
      throw error instanceof PowerDnsMissing
        ? new CapabilityMissing(
            'The API of this PowerDNS version has no autoprimaries; PowerDNS 4.5 or later is required'
          )
        : error
    })
    if (!Array.isArray(answer)) {
      throw invalidAnswer('no list of autoprimaries')
    }
    return answer.map(parseAutoprimary)
  }

  async add(autoprimary: Autoprimary): Promise<void> {
    // The server answers a duplicate key with an internal error.
    await this.#requireFree(autoprimary)
    await this.#create(autoprimary)
  }

  async replace(before: Autoprimary, after: Autoprimary): Promise<void> {
    await this.#requireUnchanged(before)
    if (isSameAutoprimary(before, after)) {
      await this.#delete(before)
      await this.#create(after).catch(async (error: unknown) => {
        await this.#create(before)
        throw error
      })
      return
    }
    await this.add(after)
    await this.#delete(before)
  }

  async remove(autoprimary: Autoprimary): Promise<void> {
    await this.#requireUnchanged(autoprimary)
    await this.#delete(autoprimary)
  }

  async #delete({ ip, nameserver }: AutoprimaryKey): Promise<void> {
    const path = `${PATH}/${encodeURIComponent(ip)}/${encodeURIComponent(nameserver)}`
    await this.client.send('DELETE', path)
  }

  async #create({ ip, nameserver, account }: Autoprimary): Promise<void> {
    try {
      await this.client.send('POST', PATH, { ip, nameserver, account })
    } catch (error) {
      throw error instanceof PowerDnsConflict ? alreadyExists(error) : error
    }
  }

  /** Compares right before the write, because the API has no preconditions. */
  async #requireUnchanged(expected: Autoprimary): Promise<void> {
    const known = await this.list()
    const current = known.find((one) => isSameAutoprimary(one, expected))
    if (current?.account !== expected.account) {
      throw new AutoprimaryChanged('The autoprimary was changed in the meantime')
    }
  }

  async #requireFree(key: AutoprimaryKey): Promise<void> {
    const known = await this.list()
    if (known.some((one) => isSameAutoprimary(one, key))) {
      throw alreadyExists()
    }
  }
}

function alreadyExists(cause?: unknown): AutoprimaryExists {
  return new AutoprimaryExists('The autoprimary already exists', { cause })
}

/** Parses an item of the list. Throws `BackendUnavailable` if it is invalid. */
function parseAutoprimary(item: unknown): Autoprimary {
  const { ip, nameserver, account } = (item ?? {}) as Record<string, unknown>
  if (typeof ip !== 'string' || typeof nameserver !== 'string') {
    throw invalidAnswer('an autoprimary without an address')
  }
  return { ip, nameserver, account: typeof account === 'string' ? account : '' }
}
