import logger from '@adonisjs/core/services/logger'
import { MOST_CHANGES, writeSightings } from '#zones/dynamic_dns/board_rows'
import type { Family } from '#zones/dynamic_dns/addresses'
import { withoutValues } from '#exceptions/database_errors'

/** How long sightings gather before they are written. */
const INTERVAL_MS = 5_000
/** Hosts whose sightings are remembered at once; those of more are not told of. */
const MOST_HOSTS = 10_000

/** Who asked about a host, and what came of it. */
export interface Sighting {
  hostname: string
  /** null where it is not told whose host it is: then only a host that was seen before is told of. */
  zone: { id: number; name: string } | null
  code: string
  door: string
  /** Of the connection. */
  address: string | null
  agent: string
  username: string | null
  keyId: number | null
  /** What the host has since, of the families that were told. */
  addresses: Partial<Record<Family, string[]>>
}

/** All that was seen of a host since it was last written. */
export interface Gathered {
  /** The latest that was let in. */
  latest: (Sighting & { time: string }) | null
  /** The latest that was not. */
  refused: { time: string; address: string | null; agent: string } | null
  firstTime: string
  requests: number
  /** Moments of changes, the latest last. */
  changes: string[]
  addresses: Partial<Record<Family, string[]>>
}

/**
 * Who was last seen updating which host. Gathered in memory and written in the background, so that an update that
 * changes nothing writes nothing; a process that is killed loses some seconds of it. Decides nothing.
 */
export class ClientBoard {
  #gathered = new Map<string, Gathered>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  /** Remembers an update that was let in. Never throws. */
  note(sighting: Sighting): void {
    const time = new Date().toISOString()
    const host = this.#of(sighting.hostname, time)
    if (host) {
      host.latest = { ...sighting, time }
      host.requests++
      Object.assign(host.addresses, sighting.addresses)
      if (sighting.code === 'good') {
        host.changes = [...host.changes, time].slice(-MOST_CHANGES)
      }
    }
  }

  /** Remembers that somebody asked about a host and was not let in. Never throws. */
  noteRefused(hostname: string, address: string | null, agent: string): void {
    const time = new Date().toISOString()
    const host = this.#of(hostname, time)
    if (host) {
      host.refused = { time, address, agent }
    }
  }

  /** Writes what was gathered. Never throws. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const gathered = this.#gathered
    this.#gathered = new Map()
    this.#writing = this.#writing.then(async () => {
      try {
        await writeSightings(gathered)
      } catch (error) {
        const fields = { err: withoutValues(error), hosts: gathered.size }
        logger.warn(fields, 'Clients of dynamic DNS were not written')
      }
    })
    return this.#writing
  }

  #of(hostname: string, time: string): Gathered | null {
    const known = this.#gathered.get(hostname)
    if (known || this.#gathered.size >= MOST_HOSTS) {
      return known ?? null
    }
    const fresh: Gathered = {
      latest: null,
      refused: null,
      firstTime: time,
      requests: 0,
      changes: [],
      addresses: {},
    }
    this.#gathered.set(hostname, fresh)
    this.#timer ??= setTimeout(() => void this.flush(), INTERVAL_MS).unref()
    return fresh
  }
}

/** The board of this process. */
export const clientBoard = new ClientBoard()
