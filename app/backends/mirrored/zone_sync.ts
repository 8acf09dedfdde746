import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { columnsOf, listedColumns } from '#backends/mirrored/mirror'
import { MIRROR_TABLES, mirrorZone, type MirrorZone } from '#backends/mirrored/mirror_tables'
import { MovedZones, type ListedZone } from '#backends/mirrored/changed_zones'
import { nextZoneId } from '#backends/mirrored/session'
import type { ServerFacts, ZoneServer } from '#backends/mirrored/zone_server'
import { SqlReader } from '#backends/sql/reader'
import { SqlWriteSession } from '#backends/sql/session'
import type { BackendZone } from '#backends/contract/types'
import type { ZonePass } from '#backends/contract/zone_sync'
import { chunks } from '#database/statements/chunks'
import { holdRow } from '#database/rows/row_lock'
import { inTransaction } from '#database/transaction'

/** How long a zone has to be missing before it leaves the lists. */
const GRACE_MS = 10 * 60_000

/** Number of answers of the server without the zone, until it counts as deleted. */
const PASSES = 2

/** Zones that one pass asks the server about, one by one: a list that came back short costs no more than that. */
const MAX_ZONES_ASKED = 200

/** What does not come with the list of all zones. */
type Listed = Omit<ServerFacts, 'serialPolicy' | 'isSigned'>

/**
 * Synchronises the list of zones of the mirror. A zone is deleted from it only after the server answered for that zone, twice
 * and for some minutes, that it does not exist: a short list proves nothing.
 */
export class ZoneSync {
  readonly #moved: MovedZones

  constructor(
    private readonly client: () => QueryClientContract,
    private readonly server: ZoneServer,
    private readonly graceMs = GRACE_MS
  ) {
    this.#moved = new MovedZones(client)
  }

  /** Throws `BackendUnavailable`. */
  async run(): Promise<ZonePass> {
    // Read before the server is called: later writes are newer than its answer, and increase versions.
    const rows: unknown[] = await this.client().from(MIRROR_TABLES.zones).orderBy('id')
    const known = rows.map(mirrorZone)
    const names = new Set(known.map(({ name }) => name))
    const { zones, unread } = await this.server.list()
    const listed = new Map(zones.map((facts) => [facts.name, facts]))
    // Read after the answer: zones that are being created, and are not in the mirror yet, are included.
    const coming = await this.#coming()
    const added = [...listed.values()].filter(({ name }) => !names.has(name) && !coming.has(name))
    await this.#add(added, known.length === 0)
    let changed = 0
    const lost: MirrorZone[] = []
    for (const row of known) {
      const facts = listed.get(row.name)
      if (unread.has(row.name)) {
        // The zone exists.
        continue
      }
      if (!facts) {
        lost.push(row)
      } else if (!isAsListed(row, facts)) {
        changed += await this.#change(row, facts)
      }
    }
    const { missing, removed } = await this.#askAfter(lost)
    return {
      counts: {
        zones: listed.size + unread.size,
        added: added.length,
        changed,
        missing,
        removed,
      },
      refresh: async (how) => this.#moved.refresh(await this.#serials(zones), how),
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

  /** The zone of that name that the server has and the mirror lacks, which it has then; null where there is none. */
  async find(name: string): Promise<BackendZone | null> {
    const facts = await this.server.facts(name)
    const coming = await this.#coming()
    if (!facts || coming.has(name)) {
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

  /** Zones as the mirror has them by now, with their serials in the list. */
  async #serials(zones: ServerFacts[]): Promise<ListedZone[]> {
    const serials = new Map(zones.map(({ name, serial }) => [name, serial]))
    const rows: unknown[] = await this.client().from(MIRROR_TABLES.zones).orderBy('id')
    return rows.map(mirrorZone).flatMap((row) => {
      const serial = serials.get(row.name)
      return serial === undefined ? [] : [{ row, serial }]
    })
  }

  /** Names of zones that Zonewright is creating. */
  async #coming(): Promise<Set<string>> {
    const rows: { zone_name: string }[] = await this.client()
      .from('zw_pending_steps')
      .where('kind', 'create')
      .select('zone_name')
    return new Set(rows.map(({ zone_name: name }) => name))
  }

  async #change({ id, version }: MirrorZone, facts: ServerFacts): Promise<number> {
    const done: unknown = await this.client()
      .from(MIRROR_TABLES.zones)
      .where({ id, version })
      .update(listedColumns(facts))
    return Number(done)
  }

  async #askAfter(lost: MirrorZone[]): Promise<{ missing: number; removed: number }> {
    let missing = 0
    let removed = 0
    for (const row of lost.slice(0, MAX_ZONES_ASKED)) {
      const facts = await this.server.facts(row.name)
      if (facts) {
        await this.#change(row, facts)
        continue
      }
      missing++
      const since = row.missingSince ?? new Date().toISOString()
      const looks = row.missingPasses + 1
      const isGone = looks >= PASSES && Date.now() - Date.parse(since) >= this.graceMs
      if (isGone) {
        await inTransaction(this.client(), (trx) => remove(trx, row))
        removed++
      } else {
        await this.client()
          .from(MIRROR_TABLES.zones)
          .where({ id: row.id, version: row.version })
          .update({ missing_since: since, missing_looks: looks })
      }
    }
    return { missing, removed }
  }
}

function isAsListed(row: MirrorZone, facts: Listed): boolean {
  const master = facts.masters.length > 0 ? facts.masters.join(',') : null
  return (
    row.type === facts.kind &&
    row.master === master &&
    row.account === facts.account &&
    row.missingSince === null
  )
}

/** Writes zones that are not there yet. Each gets the id of the own row of its name, where that is free. */
async function addZones(trx: TransactionClientContract, zones: ServerFacts[]): Promise<void> {
  await holdRow(trx, 'zw_text_marks', MIRROR_TABLES.texts.number)
  const names = zones.map(({ name }) => name)
  const own: { id: number; name: string }[] = await trx
    .from('zw_zones')
    .whereIn('name', names)
    .orderByRaw('case when kind is null then 1 else 0 end')
    .orderBy('id', 'desc')
    .select('id', 'name')
  const there: { name: string }[] = await trx
    .from(MIRROR_TABLES.zones)
    .whereIn('name', names)
    .select('name')
  const taken: { id: number }[] = await trx
    .from(MIRROR_TABLES.zones)
    .whereIn(
      'id',
      own.map(({ id }) => id)
    )
    .select('id')
  const isTaken = new Set(taken.map(({ id }) => Number(id)))
  const isThere = new Set(there.map(({ name }) => name))
  let next = await nextZoneId(trx)
  const rows = zones
    .filter(({ name }) => !isThere.has(name))
    .map((facts) => {
      const known = own.find(({ id, name }) => name === facts.name && !isTaken.has(Number(id)))
      return { id: known ? Number(known.id) : next++, name: facts.name, ...columnsOf(facts) }
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
