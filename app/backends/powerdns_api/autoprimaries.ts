import {
  AutoprimaryExists,
  AutoprimaryMoved,
  isSameAutoprimary,
  type Autoprimaries,
  type Autoprimary,
  type AutoprimaryKey,
} from '#backends/contract/autoprimaries'
import { CapabilityMissing } from '#backends/contract/errors'
import type { PowerDnsClient } from '#backends/powerdns_api/client'
import { garbled, PowerDnsConflict, PowerDnsMissing } from '#backends/powerdns_api/errors'

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
      throw garbled('no list of autoprimaries')
    }
    return answer.map(autoprimaryOf)
  }

  async add(autoprimary: Autoprimary): Promise<void> {
    // The server answers a duplicate key with an internal error.
    await this.#demandFree(autoprimary)
    await this.#make(autoprimary)
  }

  async replace(before: Autoprimary, after: Autoprimary): Promise<void> {
    await this.#demandStill(before)
    if (isSameAutoprimary(before, after)) {
      await this.#end(before)
      await this.#make(after).catch(async (error: unknown) => {
        await this.#make(before)
        throw error
      })
      return
    }
    await this.add(after)
    await this.#end(before)
  }

  async remove(autoprimary: Autoprimary): Promise<void> {
    await this.#demandStill(autoprimary)
    await this.#end(autoprimary)
  }

  async #end({ ip, nameserver }: AutoprimaryKey): Promise<void> {
    const path = `${PATH}/${encodeURIComponent(ip)}/${encodeURIComponent(nameserver)}`
    await this.client.send('DELETE', path)
  }

  async #make({ ip, nameserver, account }: Autoprimary): Promise<void> {
    try {
      await this.client.send('POST', PATH, { ip, nameserver, account })
    } catch (error) {
      throw error instanceof PowerDnsConflict ? existing(error) : error
    }
  }

  /** Right before it is written: the server knows no conditions. */
  async #demandStill(wanted: Autoprimary): Promise<void> {
    const known = await this.list()
    const now = known.find((one) => isSameAutoprimary(one, wanted))
    if (now?.account !== wanted.account) {
      throw new AutoprimaryMoved('The autoprimary was changed in the meantime')
    }
  }

  async #demandFree(key: AutoprimaryKey): Promise<void> {
    const known = await this.list()
    if (known.some((one) => isSameAutoprimary(one, key))) {
      throw existing()
    }
  }
}

function existing(cause?: unknown): AutoprimaryExists {
  return new AutoprimaryExists('The autoprimary already exists', { cause })
}

/** Reads one of the list. Throws `BackendUnavailable` for anything else. */
function autoprimaryOf(item: unknown): Autoprimary {
  const { ip, nameserver, account } = (item ?? {}) as Record<string, unknown>
  if (typeof ip !== 'string' || typeof nameserver !== 'string') {
    throw garbled('an autoprimary without an address')
  }
  return { ip, nameserver, account: typeof account === 'string' ? account : '' }
}
