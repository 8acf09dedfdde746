import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { columnsOf, listedColumns } from '#backends/mirrored/mirror'
import { MIRROR_TABLES, mirrorZoneFromRow, type MirrorZone } from '#backends/mirrored/mirror_tables'
import { ChangedZones, type ListedZone } from '#backends/mirrored/changed_zones'
import { nextZoneId } from '#backends/mirrored/session'
import type { ServerFacts, ZoneServer } from '#backends/mirrored/zone_server'
import { SqlReader } from '#backends/sql/reader'
import { SqlWriteSession } from '#backends/sql/session'
import type { BackendZone } from '#backends/contract/types'
import type { ZoneComparison } from '#backends/contract/zone_sync'
import { chunks } from '#database/statements/chunks'
import { holdRow } from '#database/rows/row_lock'
import { inTransaction } from '#database/transaction'

/** Time that a zone must be missing before it is removed from the lists. */
const GRACE_MS = 10 * 60_000

/** Number of answers of the server without the zone, until it counts as deleted. */
const MIN_MISSING_PASSES = 2

/** Maximum number of missing zones that one pass verifies by single calls. It limits the cost of an incomplete list. */
const MAX_ZONES_VERIFIED = 200

/** Properties in the list of all zones. */
type ListedProperties = Omit<ServerFacts, 'serialPolicy' | 'isSigned'>

/**
 * Synchronises the list of zones of the mirror. A zone is removed only after the server answered twice, over some
 * minutes, that it does not exist: an incomplete list does not prove that.
 */
export class ZoneSync {
  readonly #changedZones: ChangedZones

  constructor(
    private readonly client: () => QueryClientContract,
    private readonly server: ZoneServer,
    private readonly graceMs = GRACE_MS
  ) {
    this.#changedZones = new ChangedZones(client)
  }

  /** Throws `BackendUnavailable`. */
  async run(): Promise<ZoneComparison> {
    // Read before the server is called: later writes are newer than its answer, and increase versions.
    const rows: unknown[] = await this.client().from(MIRROR_TABLES.zones).orderBy('id')
    const knownZones = rows.map(mirrorZoneFromRow)
    const names = new Set(knownZones.map(({ name }) => name))
    const { zones, unread } = await this.server.list()
    const listed = new Map(zones.map((facts) => [facts.name, facts]))
    // Read after the answer: zones that are being created, and are not in the mirror yet, are included.
    const namesBeingCreated = await this.#namesBeingCreated()
    const added = [...listed.values()].filter(
      ({ name }) => !names.has(name) && !namesBeingCreated.has(name)
    )
    await this.#add(added, knownZones.length === 0)
    let changed = 0
    const missingRows: MirrorZone[] = []
    for (const row of knownZones) {
      const facts = listed.get(row.name)
      if (unread.has(row.name)) {
        // The zone exists.
        continue
      }
      if (!facts) {
        missingRows.push(row)
      } else if (!isAsListed(row, facts)) {
        changed += await this.#change(row, facts)
      }
    }
    const { missing, removed } = await this.#verifyMissing(missingRows)
    return {
      counts: {
        zones: listed.size + unread.size,
        added: added.length,
        changed,
        missing,
        removed,
      },
      refresh: async (how) => this.#changedZones.refresh(await this.#serials(zones), how),
    }
  }

  /** The first zones are inserted together: readers see none or all of them. */
  async #add(zones: ServerFacts[], isFirst: boolean): Promise<void> {
    const parts = chunks(zones)
    if (isFirst) {
      await inTransaction(this.client(), async (trx) => {
        for (const part of parts) {
          await addZones(trx, part)
        }
      })
      return
    }
    for (const part of parts) {
      await inTransaction(this.client(), (trx) => addZones(trx, part))
    }
  }

  /** Adds the zone of that name to the mirror if only the server has it, and returns it; null otherwise. */
  async find(name: string): Promise<BackendZone | null> {
    const facts = await this.server.facts(name)
    const namesBeingCreated = await this.#namesBeingCreated()
    if (!facts || namesBeingCreated.has(name)) {
      return null
    }
    const isFilled: unknown = await this.client().from(MIRROR_TABLES.zones).select('id').first()
    if (isFilled) {
      await inTransaction(this.client(), (trx) => addZones(trx, [facts]))
    } else {
      await this.run()
    }
    return new SqlReader(this.client(), MIRROR_TABLES).findZoneByName(name)
  }

  /** Current zones of the mirror, with their serials in the list. */
  async #serials(zones: ServerFacts[]): Promise<ListedZone[]> {
    const serials = new Map(zones.map(({ name, serial }) => [name, serial]))
    const rows: unknown[] = await this.client().from(MIRROR_TABLES.zones).orderBy('id')
    return rows.map(mirrorZoneFromRow).flatMap((row) => {
      const serial = serials.get(row.name)
      return serial === undefined ? [] : [{ row, serial }]
    })
  }

  /** Names of zones that Zonewright is creating. */
  async #namesBeingCreated(): Promise<Set<string>> {
    const rows: { zone_name: string }[] = await this.client()
      .from('zw_pending_steps')
      .where('kind', 'create')
      .select('zone_name')
    return new Set(rows.map(({ zone_name: name }) => name))
  }

  async #change({ id, version }: MirrorZone, facts: ServerFacts): Promise<number> {
    const updatedRows: unknown = await this.client()
      .from(MIRROR_TABLES.zones)
      .where({ id, version })
      .update(listedColumns(facts))
    return Number(updatedRows)
  }

  async #verifyMissing(missingRows: MirrorZone[]): Promise<{ missing: number; removed: number }> {
    let missing = 0
    let removed = 0
    for (const row of missingRows.slice(0, MAX_ZONES_VERIFIED)) {
      const facts = await this.server.facts(row.name)
      if (facts) {
        await this.#change(row, facts)
        continue
      }
      missing++
      const since = row.missingSince ?? new Date().toISOString()
      const missingPasses = row.missingPasses + 1
      const isDeleted =
        missingPasses >= MIN_MISSING_PASSES && Date.now() - Date.parse(since) >= this.graceMs
      if (isDeleted) {
        await inTransaction(this.client(), (trx) => remove(trx, row))
        removed++
      } else {
        await this.client()
          .from(MIRROR_TABLES.zones)
          .where({ id: row.id, version: row.version })
          .update({ missing_since: since, missing_looks: missingPasses })
      }
    }
    return { missing, removed }
  }
}

function isAsListed(row: MirrorZone, facts: ListedProperties): boolean {
  const master = facts.masters.length > 0 ? facts.masters.join(',') : null
  return (
    row.type === facts.kind &&
    row.master === master &&
    row.account === facts.account &&
    row.missingSince === null
  )
}

/** Inserts new zones. Each gets the id of the zone row of its name, if that id is free. */
async function addZones(trx: TransactionClientContract, zones: ServerFacts[]): Promise<void> {
  await holdRow(trx, 'zw_text_marks', MIRROR_TABLES.texts.number)
  const names = zones.map(({ name }) => name)
  const zoneRows: { id: number; name: string }[] = await trx
    .from('zw_zones')
    .whereIn('name', names)
    .orderByRaw('case when kind is null then 1 else 0 end')
    .orderBy('id', 'desc')
    .select('id', 'name')
  const existingZones: { name: string }[] = await trx
    .from(MIRROR_TABLES.zones)
    .whereIn('name', names)
    .select('name')
  const usedRows: { id: number }[] = await trx
    .from(MIRROR_TABLES.zones)
    .whereIn(
      'id',
      zoneRows.map(({ id }) => id)
    )
    .select('id')
  const usedIds = new Set(usedRows.map(({ id }) => Number(id)))
  const existingNames = new Set(existingZones.map(({ name }) => name))
  let nextId = await nextZoneId(trx)
  const rows = zones
    .filter(({ name }) => !existingNames.has(name))
    .map((facts) => {
      const formerRow = zoneRows.find(
        ({ id, name }) => name === facts.name && !usedIds.has(Number(id))
      )
      return {
        id: formerRow ? Number(formerRow.id) : nextId++,
        name: facts.name,
        ...columnsOf(facts),
      }
    })
  if (rows.length > 0) {
    await trx.table(MIRROR_TABLES.zones).multiInsert(rows)
  }
}

async function remove(trx: TransactionClientContract, { id, version }: MirrorZone): Promise<void> {
  const session = new SqlWriteSession(trx, MIRROR_TABLES)
  const zones = await session.lockZones([id])
  const zone = zones.get(id)
  const row: unknown = await trx.from(MIRROR_TABLES.zones).where({ id, version }).first()
  if (zone && row) {
    await session.deleteZone(zone)
  }
}
