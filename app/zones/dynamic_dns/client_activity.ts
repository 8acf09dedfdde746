import type {
  ClientUpdate,
  RefusedUpdate,
  HostActivity,
} from '#zones/dynamic_dns/client_activity_store'
import logger from '@adonisjs/core/services/logger'
import { clientNetwork } from '#dns/addresses/networks'
import { MAX_CHANGES, writeClientUpdates } from '#zones/dynamic_dns/client_activity_store'
import { withoutValues } from '#exceptions/database_errors'
import { BufferedWriter, flushedAtShutdown } from '#support/buffered_writer'

/**
 * Maximum delay of a write: `FIRST_WRITE_DELAY_MS` for changes and refusals, `WRITE_DELAY_MS` for updates without a
 * change.
 */
const CHANGE_WRITE_DELAY_MS = 5_000
const UNCHANGED_WRITE_DELAY_MS = 30_000
/** Number of hosts that triggers an immediate write. */
const HOSTS_FOR_IMMEDIATE_WRITE = 2_000
/** Hosts in memory; updates of further hosts are not recorded. */
const MAX_HOSTS = 10_000
/**
 * Refused hosts in memory, in total and per client network. Unauthenticated clients choose these
 * names, so they have a separate limit.
 */
const MAX_REFUSED_UPDATES = 1_000
const MAX_PER_NETWORK = 50

/**
 * Last update of each host. Entries are buffered in memory and written in the background, so that
 * an update without a change writes nothing. A killed process loses some seconds. No decision uses
 * them.
 */
export class ClientActivity extends BufferedWriter {
  #activityByHost = new Map<string, HostActivity>()
  #refused = new Map<string, RefusedUpdate>()
  /** Refused hosts in memory by client network. */
  #hostsPerNetwork = new Map<string, number>()

  /** Records an accepted update. Never throws. */
  addUpdate(sighting: ClientUpdate): void {
    const time = new Date().toISOString()
    const host = this.#activityOf(sighting.hostname, time)
    if (!host) {
      return
    }
    host.latest = { ...sighting, time }
    host.requests++
    Object.assign(host.addresses, sighting.addresses)
    if (sighting.code === 'good') {
      host.changes = [...host.changes, time].slice(-MAX_CHANGES)
    }
    const isFull = this.#activityByHost.size >= HOSTS_FOR_IMMEDIATE_WRITE
    this.writeWithin(
      isFull ? 0 : sighting.code === 'nochg' ? UNCHANGED_WRITE_DELAY_MS : CHANGE_WRITE_DELAY_MS
    )
  }

  /** Records a refused update. Never throws. */
  recordRefused(hostname: string, address: string | null, agent: string): void {
    if (!this.#refused.has(hostname)) {
      const network = address === null ? '' : clientNetwork(address)
      const count = this.#hostsPerNetwork.get(network) ?? 0
      if (this.#refused.size >= MAX_REFUSED_UPDATES || count >= MAX_PER_NETWORK) {
        return
      }
      this.#hostsPerNetwork.set(network, count + 1)
    }
    this.#refused.set(hostname, { time: new Date().toISOString(), address, agent })
    this.writeWithin(CHANGE_WRITE_DELAY_MS)
  }

  protected async write(): Promise<void> {
    const activityByHost = this.#activityByHost
    for (const [hostname, refused] of this.#refused) {
      const host = activityByHost.get(hostname) ?? nothingOf(refused.time)
      activityByHost.set(hostname, { ...host, refused })
    }
    this.#activityByHost = new Map()
    this.#refused = new Map()
    this.#hostsPerNetwork = new Map()
    try {
      await writeClientUpdates(activityByHost)
    } catch (error) {
      const fields = { err: withoutValues(error), hosts: activityByHost.size }
      logger.warn(fields, 'Update of dynamic DNS clients failed')
    }
  }

  #activityOf(hostname: string, time: string): HostActivity | null {
    const existing = this.#activityByHost.get(hostname)
    if (existing || this.#activityByHost.size >= MAX_HOSTS) {
      return existing ?? null
    }
    const newActivity = nothingOf(time)
    this.#activityByHost.set(hostname, newActivity)
    return newActivity
  }
}

function nothingOf(firstTime: string): HostActivity {
  return { latest: null, refused: null, firstTime, requests: 0, changes: [], addresses: {} }
}

/** One instance per process. */
export const clientActivity = flushedAtShutdown(new ClientActivity())
