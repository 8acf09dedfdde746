import { setTimeout as wait } from 'node:timers/promises'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { BackendUnavailable, ZoneGone } from '#backends/contract/errors'
import { ForeignSession } from '#backends/mirrored/refresh_session'
import { pendingOf } from '#backends/pending_writes/store'
import { MIRROR_TABLES, mirrorZone, type MirrorZone } from '#backends/mirrored/mirror_tables'
import type { ServerFacts, ServerZone, ZoneServer } from '#backends/mirrored/zone_server'
import type { BackendZone } from '#backends/contract/types'
import { isHeldElsewhere } from '#database/conflicts'
import { inTransaction } from '#database/transaction'
import { dialectOf } from '#database/dialects/dialect_of'

/** RRsets up to which a zone is read whole each time: it costs a few milliseconds then. */
const SMALL = 2_000

/** How long the serial alone is believed of a larger zone: not every writer moves it. */
const CACHE_TTL_MS = 60_000

/** Attempts to read a zone while other processes change its mirror. */
const TRIES = 6

/** Number of attempts to lock a zone, and the pause between them in ms. */
const ASKS = 50
const PAUSE_MS = 20

/** A zone of the server, and the equal state of the mirror. */
export interface MirrorRead {
  version: number
  answer: ServerZone
}

/** Another process writes the zone and holds its lock. */
class BeingWritten extends Error {}

/** Another process holds the lock of the zone. */
class HeldElsewhere extends Error {}

/** When a zone that is not small was read whole last, by this process. */
interface FullRead {
  version: number
  at: number
}

/**
 * The last known state of the zones of a server, in Zonewright's tables. A read of a zone updates it. New data is an external
 * change, since only writes of Zonewright update the snapshots.
 */
export class Mirror {
  readonly #whole = new Map<number, FullRead>()

  constructor(
    private readonly client: () => QueryClientContract,
    private readonly server: ZoneServer
  ) {}

  /**
   * Updates the mirror of a zone for a reader. Reads a small zone whole. Compares the serial of a larger one, and reads it if
   * that changed, or after a minute. Does not wait for a running write. Throws `ZoneGone` and `BackendUnavailable`.
   */
  async freshen(zone: Pick<BackendZone, 'id' | 'name'>): Promise<void> {
    const whole = this.#whole.get(zone.id)
    if (whole && Date.now() - whole.at < CACHE_TTL_MS) {
      const [known, facts] = [await this.#row(zone.id), await this.server.facts(zone.name)]
      if (facts && known.version === whole.version && isAsKnown(known, facts)) {
        return
      }
    }
    try {
      await this.#look(zone, true)
    } catch (error) {
      if (!(error instanceof BeingWritten)) {
        throw error
      }
    }
  }

  /** Reads the zone whole, and brings the mirror up to date, for a writer. Throws as `freshen`. */
  look(zone: Pick<BackendZone, 'id' | 'name'>): Promise<MirrorRead> {
    return this.#look(zone, false)
  }

  /**
   * Whether a process writes the zone and holds its lock until the server is done. An interrupted write holds no lock. On
   * SQLite, waits for the writer.
   */
  async isBeingWritten(id: number): Promise<boolean> {
    try {
      await this.#change(id, true, async () => {})
      return false
    } catch (error) {
      if (error instanceof BeingWritten) {
        return true
      }
      throw error
    }
  }

  async #look(
    { id, name }: Pick<BackendZone, 'id' | 'name'>,
    isReader: boolean
  ): Promise<MirrorRead> {
    for (let tries = 0; tries < TRIES; tries++) {
      const known = await this.#row(id)
      const answer = await this.server.zone(name)
      if (!answer) {
        await this.#change(id, isReader, (trx) => miss(trx, known))
        throw new ZoneGone(`The name server has no zone '${name}'`)
      }
      const version =
        known.digest === answer.digest && known.missingSince === null
          ? known.version
          : await this.#change(id, isReader, (trx) => follow(trx, known, answer))
      if (version !== null) {
        if (answer.rrsets.length > SMALL) {
          this.#whole.set(id, { version, at: Date.now() })
        } else {
          this.#whole.delete(id)
        }
        return { version, answer }
      }
    }
    throw new BackendUnavailable(`Zone '${name}' keeps changing`)
  }

  async #row(id: number): Promise<MirrorZone> {
    const row: unknown = await this.client().from(MIRROR_TABLES.zones).where('id', id).first()
    if (!row) {
      throw new ZoneGone('The zone was deleted')
    }
    return mirrorZone(row)
  }

  /**
   * Changes the mirror of a zone. The writer of a zone holds its lock until the server is done: readers do not wait for that.
   * Throws `BeingWritten`.
   */
  async #change<T>(
    id: number,
    isReader: boolean,
    work: (trx: TransactionClientContract) => Promise<T>
  ): Promise<T> {
    for (let asks = isReader ? ASKS : 0; asks > 0; asks--) {
      try {
        return await inTransaction(this.client(), async (trx) => {
          await holdAtOnce(trx, id)
          return work(trx)
        })
      } catch (error) {
        if (!(error instanceof HeldElsewhere)) {
          throw error
        }
      }
      if (await pendingOf(this.client(), [id])) {
        throw new BeingWritten()
      }
      await wait(PAUSE_MS)
    }
    return inTransaction(this.client(), work)
  }
}

/**
 * Locks a zone; on SQLite, waits for the writer. Throws `HeldElsewhere` for this statement only: a later statement that waited
 * too long has the same error code on MariaDB.
 */
async function holdAtOnce(trx: TransactionClientContract, id: number): Promise<void> {
  if (dialectOf(trx).locksDatabase) {
    return
  }
  try {
    await trx.from(MIRROR_TABLES.zones).where('id', id).select('id').forUpdate().noWait()
  } catch (error) {
    throw isHeldElsewhere(error) ? new HeldElsewhere('The zone is locked', { cause: error }) : error
  }
}

/** The new version of the mirror; null if another process was faster. */
async function follow(
  trx: TransactionClientContract,
  known: MirrorZone,
  answer: ServerZone
): Promise<number | null> {
  const version = known.version + 1
  // Takes the lock if it is free, and checks whether the version changed.
  const mine: unknown = await trx
    .from(MIRROR_TABLES.zones)
    .where({ id: known.id, version: known.version })
    .update({ version, ...columnsOf(answer), digest: answer.digest })
  if (Number(mine) === 0) {
    return null
  }
  await new ForeignSession(trx).follow({ ...answer, id: known.id }, answer)
  return version
}

/** Records that the server does not have the zone. Its rows stay until that is confirmed. */
async function miss(trx: TransactionClientContract, known: MirrorZone): Promise<void> {
  await trx
    .from(MIRROR_TABLES.zones)
    .where('id', known.id)
    .update({
      missing_since: known.missingSince ?? new Date().toISOString(),
      missing_looks: known.missingPasses + 1,
    })
}

/** Columns of a mirror row from the properties of the server. */
export function columnsOf(facts: ServerFacts) {
  return {
    ...listedColumns(facts),
    serial: facts.serial,
    edited_serial: facts.editedSerial,
    serial_policy: facts.serialPolicy,
  }
}

/** Those columns that a list of zones has. */
export function listedColumns({ kind, masters, account }: ServerFacts) {
  return {
    type: kind,
    master: masters.length > 0 ? masters.join(',') : null,
    account,
    missing_since: null,
    missing_looks: 0,
  }
}

function isAsKnown(known: MirrorZone, facts: ServerFacts): boolean {
  const columns = columnsOf(facts)
  return (
    known.missingSince === null &&
    known.serial === columns.serial &&
    known.editedSerial === columns.edited_serial &&
    known.serialPolicy === columns.serial_policy &&
    known.type === columns.type &&
    known.master === columns.master &&
    known.account === columns.account
  )
}
