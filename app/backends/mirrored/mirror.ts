import { setTimeout as wait } from 'node:timers/promises'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { BackendUnavailable, ZoneGone } from '#backends/contract/errors'
import { ServerStateSession } from '#backends/mirrored/refresh_session'
import { pendingOf } from '#backends/pending_writes/store'
import { MIRROR_TABLES, mirrorZoneFromRow, type MirrorZone } from '#backends/mirrored/mirror_tables'
import type { ServerFacts, ServerZone, ZoneServer } from '#backends/mirrored/zone_server'
import type { BackendZone } from '#backends/contract/types'
import { isHeldElsewhere } from '#database/conflicts'
import { inTransaction } from '#database/transaction'
import { dialectOf } from '#database/dialects/dialect_of'

/** Zones of up to this number of RRsets are read completely each time, which takes a few milliseconds. */
const MAX_SMALL_ZONE_RRSETS = 2_000

/** Time for which an unchanged serial of a larger zone is sufficient: not every writer changes it. */
const CACHE_TTL_MS = 60_000

/** Attempts to read a zone while other processes change its mirror. */
const MAX_READ_ATTEMPTS = 6

/** Number of attempts to lock a zone, and the pause between them in ms. */
const MAX_LOCK_ATTEMPTS = 50
const PAUSE_MS = 20

/** A zone of the server, and the equal state of the mirror. */
export interface MirrorRead {
  version: number
  answer: ServerZone
}

/** Another process writes the zone and holds its lock. */
class ZoneBeingWritten extends Error {}

/** Another process holds the lock of the zone. */
class RowLocked extends Error {}

/** Last complete read of a larger zone by this process. */
interface FullRead {
  version: number
  at: number
}

/**
 * The last known state of the zones of a server, in Zonewright's tables. A read of a zone updates it. New data is an external
 * change, since only writes of Zonewright update the snapshots.
 */
export class Mirror {
  readonly #fullReads = new Map<number, FullRead>()

  constructor(
    private readonly client: () => QueryClientContract,
    private readonly server: ZoneServer
  ) {}

  /**
   * Updates the mirror of a zone for a reader. Reads a small zone whole. Compares the serial of a larger one, and reads it if
   * that changed, or after a minute. Does not wait for a running write. Throws `ZoneGone` and `BackendUnavailable`.
   */
  async refresh(zone: Pick<BackendZone, 'id' | 'name'>): Promise<void> {
    const fullRead = this.#fullReads.get(zone.id)
    if (fullRead && Date.now() - fullRead.at < CACHE_TTL_MS) {
      const [storedZone, facts] = [await this.#row(zone.id), await this.server.facts(zone.name)]
      if (facts && storedZone.version === fullRead.version && isUnchanged(storedZone, facts)) {
        return
      }
    }
    try {
      await this.#readAndUpdate(zone, true)
    } catch (error) {
      if (!(error instanceof ZoneBeingWritten)) {
        throw error
      }
    }
  }

  /** Reads the zone whole, and brings the mirror up to date, for a writer. Throws as `refresh`. */
  readWhole(zone: Pick<BackendZone, 'id' | 'name'>): Promise<MirrorRead> {
    return this.#readAndUpdate(zone, false)
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
      if (error instanceof ZoneBeingWritten) {
        return true
      }
      throw error
    }
  }

  async #readAndUpdate(
    { id, name }: Pick<BackendZone, 'id' | 'name'>,
    isReader: boolean
  ): Promise<MirrorRead> {
    for (let attempts = 0; attempts < MAX_READ_ATTEMPTS; attempts++) {
      const storedZone = await this.#row(id)
      const answer = await this.server.zone(name)
      if (!answer) {
        await this.#change(id, isReader, (trx) => markMissing(trx, storedZone))
        throw new ZoneGone(`The name server has no zone '${name}'`)
      }
      const version =
        storedZone.digest === answer.digest && storedZone.missingSince === null
          ? storedZone.version
          : await this.#change(id, isReader, (trx) => claimNextVersion(trx, storedZone, answer))
      if (version !== null) {
        if (answer.rrsets.length > MAX_SMALL_ZONE_RRSETS) {
          this.#fullReads.set(id, { version, at: Date.now() })
        } else {
          this.#fullReads.delete(id)
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
    return mirrorZoneFromRow(row)
  }

  /**
   * Changes the mirror of a zone. The writer of a zone holds its lock until the server is done: readers do not wait for that.
   * Throws `ZoneBeingWritten`.
   */
  async #change<T>(
    id: number,
    isReader: boolean,
    work: (trx: TransactionClientContract) => Promise<T>
  ): Promise<T> {
    for (let attemptsLeft = isReader ? MAX_LOCK_ATTEMPTS : 0; attemptsLeft > 0; attemptsLeft--) {
      try {
        return await inTransaction(this.client(), async (trx) => {
          await lockWithoutWaiting(trx, id)
          return work(trx)
        })
      } catch (error) {
        if (!(error instanceof RowLocked)) {
          throw error
        }
      }
      if (await pendingOf(this.client(), [id])) {
        throw new ZoneBeingWritten()
      }
      await wait(PAUSE_MS)
    }
    return inTransaction(this.client(), work)
  }
}

/**
 * Locks a zone; on SQLite, waits for the writer. Throws `RowLocked` for this statement only: a later statement that waited
 * too long has the same error code on MariaDB.
 */
async function lockWithoutWaiting(trx: TransactionClientContract, id: number): Promise<void> {
  if (dialectOf(trx).locksDatabase) {
    return
  }
  try {
    await trx.from(MIRROR_TABLES.zones).where('id', id).select('id').forUpdate().noWait()
  } catch (error) {
    throw isHeldElsewhere(error) ? new RowLocked('The zone is locked', { cause: error }) : error
  }
}

/** The new version of the mirror; null if another process was faster. */
async function claimNextVersion(
  trx: TransactionClientContract,
  storedZone: MirrorZone,
  answer: ServerZone
): Promise<number | null> {
  const version = storedZone.version + 1
  // Locks the row if it is free, and checks whether the version changed.
  const updatedRows: unknown = await trx
    .from(MIRROR_TABLES.zones)
    .where({ id: storedZone.id, version: storedZone.version })
    .update({ version, ...columnsOf(answer), digest: answer.digest })
  if (Number(updatedRows) === 0) {
    return null
  }
  await new ServerStateSession(trx).applyServerState({ ...answer, id: storedZone.id }, answer)
  return version
}

/** Stores that the zone is missing on the server. Its rows stay until that is confirmed. */
async function markMissing(trx: TransactionClientContract, storedZone: MirrorZone): Promise<void> {
  await trx
    .from(MIRROR_TABLES.zones)
    .where('id', storedZone.id)
    .update({
      missing_since: storedZone.missingSince ?? new Date().toISOString(),
      missing_looks: storedZone.missingPasses + 1,
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

/** Columns that are also in the zone list of the server. */
export function listedColumns({ kind, masters, account }: ServerFacts) {
  return {
    type: kind,
    master: masters.length > 0 ? masters.join(',') : null,
    account,
    missing_since: null,
    missing_looks: 0,
  }
}

function isUnchanged(storedZone: MirrorZone, facts: ServerFacts): boolean {
  const columns = columnsOf(facts)
  return (
    storedZone.missingSince === null &&
    storedZone.serial === columns.serial &&
    storedZone.editedSerial === columns.edited_serial &&
    storedZone.serialPolicy === columns.serial_policy &&
    storedZone.type === columns.type &&
    storedZone.master === columns.master &&
    storedZone.account === columns.account
  )
}
