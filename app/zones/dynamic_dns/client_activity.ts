import type {
  ClientUpdate,
  RefusedUpdate,
  Gathered,
} from '#zones/dynamic_dns/client_activity_store'
import logger from '@adonisjs/core/services/logger'
import { clientNetwork } from '#dns/addresses/networks'
import { MAX_CHANGES, writeClientUpdates } from '#zones/dynamic_dns/client_activity_store'
import { withoutValues } from '#exceptions/database_errors'
import { BufferedWriter, flushedAtShutdown } from '#support/buffered_writer'

/**
 * Maximum delay of a write: `SOON_MS` for changes and refusals, `LATER_MS` for updates without a
 * change.
 */
const SOON_MS = 5_000
const LATER_MS = 30_000
/** Number of hosts that triggers an immediate write. */
const FULL = 2_000
/** Hosts in memory; updates of further hosts are not recorded. */
const MAX_HOSTS = 10_000
/**
 * Refused hosts in memory, in total and per client network. Unauthenticated clients choose these
 * names, so they have a separate limit.
 */
const MAX_REFUSED = 1_000
const MAX_PER_NETWORK = 50

/**
 * Last update of each host. Entries are buffered in memory and written in the background, so that
 * an update without a change writes nothing. A killed process loses some seconds. No decision uses
 * them.
 */
export class ClientActivity extends BufferedWriter {
  #gathered = new Map<string, Gathered>()
  #refused = new Map<string, RefusedUpdate>()
  /** Refused hosts in memory by client network. */
  #ofNetwork = new Map<string, number>()

  /** Records an accepted update. Never throws. */
  addUpdate(sighting: ClientUpdate): void {
    const time = new Date().toISOString()
    const host = this.#of(sighting.hostname, time)
    if (!host) {
      return
    }
    host.latest = { ...sighting, time }
    host.requests++
    Object.assign(host.addresses, sighting.addresses)
    if (sighting.code === 'good') {
      host.changes = [...host.changes, time].slice(-MAX_CHANGES)
    }
    const isFull = this.#gathered.size >= FULL
    this.writeWithin(isFull ? 0 : sighting.code === 'nochg' ? LATER_MS : SOON_MS)
  }

  /** Records a refused update. Never throws. */
  recordRefused(hostname: string, address: string | null, agent: string): void {
    if (!this.#refused.has(hostname)) {
      const network = address === null ? '' : clientNetwork(address)
      const count = this.#ofNetwork.get(network) ?? 0
      if (this.#refused.size >= MAX_REFUSED || count >= MAX_PER_NETWORK) {
        return
      }
      this.#ofNetwork.set(network, count + 1)
    }
    this.#refused.set(hostname, { time: new Date().toISOString(), address, agent })
    this.writeWithin(SOON_MS)
  }

  protected async write(): Promise<void> {
    const gathered = this.#gathered
    for (const [hostname, refused] of this.#refused) {
      const host = gathered.get(hostname) ?? nothingOf(refused.time)
      gathered.set(hostname, { ...host, refused })
    }
    this.#gathered = new Map()
    this.#refused = new Map()
    this.#ofNetwork = new Map()
    try {
      await writeClientUpdates(gathered)
    } catch (error) {
      const fields = { err: withoutValues(error), hosts: gathered.size }
      logger.warn(fields, 'Update of dynamic DNS clients failed')
    }
  }

  #of(hostname: string, time: string): Gathered | null {
    const known = this.#gathered.get(hostname)
    if (known || this.#gathered.size >= MAX_HOSTS) {
      return known ?? null
    }
    const fresh = nothingOf(time)
    this.#gathered.set(hostname, fresh)
    return fresh
  }
}

function nothingOf(firstTime: string): Gathered {
  return { latest: null, refused: null, firstTime, requests: 0, changes: [], addresses: {} }
}

/** One instance per process. */
export const clientActivity = flushedAtShutdown(new ClientActivity())
