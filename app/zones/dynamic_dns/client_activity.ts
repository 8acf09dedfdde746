import type {
  ClientUpdate,
  RefusedSighting,
  Gathered,
} from '#zones/dynamic_dns/client_activity_store'
import logger from '@adonisjs/core/services/logger'
import { clientNetwork } from '#dns/addresses/networks'
import { MOST_CHANGES, writeSightings } from '#zones/dynamic_dns/client_activity_store'
import { withoutValues } from '#exceptions/database_errors'
import { BufferedWriter, flushedAtShutdown } from '#support/buffered_writer'

/** How long sightings gather before they are written: of changes and refusals, and of those who say the same again. */
const SOON_MS = 5_000
const LATER_MS = 30_000
/** With so many hosts they are written at once. */
const FULL = 2_000
/** Hosts whose sightings are remembered at once; those of more are not told of. */
const MOST_HOSTS = 10_000
/**
 * Hosts that are remembered because somebody was not let in, and so many of them from one network: strangers choose
 * these names, and take no room from those who are let in.
 */
const MOST_REFUSED = 1_000
const MOST_OF_NETWORK = 50

/**
 * Who was last seen updating which host. Gathered in memory and written in the background, so that an update that
 * changes nothing writes nothing; a process that is killed loses some seconds of it. Decides nothing.
 */
export class ClientBoard extends BufferedWriter {
  #gathered = new Map<string, Gathered>()
  #refused = new Map<string, RefusedSighting>()
  /** How many of the latter each network has added. */
  #ofNetwork = new Map<string, number>()

  /** Remembers an update that was let in. Never throws. */
  note(sighting: ClientUpdate): void {
    const time = new Date().toISOString()
    const host = this.#of(sighting.hostname, time)
    if (!host) {
      return
    }
    host.latest = { ...sighting, time }
    host.requests++
    Object.assign(host.addresses, sighting.addresses)
    if (sighting.code === 'good') {
      host.changes = [...host.changes, time].slice(-MOST_CHANGES)
    }
    const isFull = this.#gathered.size >= FULL
    this.writeWithin(isFull ? 0 : sighting.code === 'nochg' ? LATER_MS : SOON_MS)
  }

  /** Remembers that somebody asked about a host and was not let in. Never throws. */
  noteRefused(hostname: string, address: string | null, agent: string): void {
    if (!this.#refused.has(hostname)) {
      const network = address === null ? '' : clientNetwork(address)
      const count = this.#ofNetwork.get(network) ?? 0
      if (this.#refused.size >= MOST_REFUSED || count >= MOST_OF_NETWORK) {
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
      await writeSightings(gathered)
    } catch (error) {
      const fields = { err: withoutValues(error), hosts: gathered.size }
      logger.warn(fields, 'Clients of dynamic DNS were not written')
    }
  }

  #of(hostname: string, time: string): Gathered | null {
    const known = this.#gathered.get(hostname)
    if (known || this.#gathered.size >= MOST_HOSTS) {
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

/** The board of this process. */
export const clientBoard = flushedAtShutdown(new ClientBoard())
