import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { KINDS, PARENT, recordsSql, zoneRow } from '#bench/seed/zone_names'
import { MAX_SMALL_ZONE } from '#backends/sql/lists/zone_size'
import { zoneFromRow } from '#backends/sql/rows'
import { metadataSnapshot, propertiesSnapshot } from '#backends/sql/snapshots/property_snapshots'
import {
  SNAPSHOT_COLUMNS,
  RECORD_SNAPSHOTS,
  ZONE_SNAPSHOTS,
} from '#backends/sql/snapshots/snapshot_queries'
import { chunks } from '#database/statements/chunks'
import { refreshStatistics } from '#database/schema/statistics'
import { inTransaction } from '#database/transaction'

/* Writes zones straight into PowerDNS' tables, without plans and without journal entries. */

/** Content of the SOA record of the zone `id`, in SQL. There are 90 different serials. */
const SOA = `concat('ns1.${PARENT} hostmaster.${PARENT} ', 2026010100 + id % 90, ' 10800 3600 604800 3600')`

/** Maximum number of rows of one statement and of one transaction. */
const BLOCK = 10_000
const ZONE_BATCH_SIZE = 10_000
/** Number of record ids per statement that writes record snapshots. */
const SNAPSHOT_BATCH_SIZE = 100_000

/** The ids of the first and the last new zone. */
export interface ZoneRange {
  firstId: number
  lastId: number
}

/**
 * Writes zones with an SOA record and other records as the product does: with `ordername`, `auth` and snapshots. Without
 * them, the first change of a zone would cost more than later ones.
 *
 * @param zones   number of zones, at least 1
 * @param records number of records of each zone in addition to the SOA record
 */
export async function fillZones(
  client: QueryClientContract,
  { zones, records }: { zones: number; records: number }
): Promise<ZoneRange> {
  const [highest] = await client.from('domains').max('id as id')
  const after = Number(highest.id ?? 0)
  for (let done = 0; done < zones; done += ZONE_BATCH_SIZE) {
    const rows = Array.from({ length: Math.min(ZONE_BATCH_SIZE, zones - done) }, (_, i) =>
      zoneRow(after + done + i, done + i)
    )
    await inTransaction(client, async (trx) => {
      for (const part of chunks(rows)) await trx.table('domains').multiInsert(part)
    })
  }
  const mine = () => client.from('domains').where('id', '>', after)
  const [ends] = await mine().min('id as first').max('id as last')
  const filled = { firstId: Number(ends.first), lastId: Number(ends.last) }
  for (const range of ranges(filled, records)) {
    await inTransaction(client, (trx) => fillRange(trx, range, records))
  }
  await refreshStatistics(client, ['domains', 'records', ZONE_SNAPSHOTS, RECORD_SNAPSHOTS])
  return filled
}

type Range = [first: number, last: number]

/** Ids of the zones of one transaction. */
function* ranges({ firstId, lastId }: ZoneRange, records: number): Generator<Range> {
  const step = Math.max(1, Math.floor(BLOCK / (records + 1)))
  for (let first = firstId; first <= lastId; first += step) {
    yield [first, Math.min(lastId, first + step - 1)]
  }
}

async function fillRange(
  trx: TransactionClientContract,
  range: Range,
  records: number
): Promise<void> {
  const columns = 'domain_id, name, type, content, ttl, prio, disabled, ordername, auth'
  await trx.rawQuery(
    `INSERT INTO records (${columns})
     SELECT id, name, 'SOA', ${SOA}, 3600, 0, FALSE, '', TRUE FROM domains WHERE id BETWEEN ? AND ?`,
    [...range]
  )
  for (let from = 0; from < records; from += BLOCK) {
    const numbers = `SELECT i FROM (${numbersFrom(from, records - from)}) n WHERE i < ${records}`
    await trx.rawQuery(
      `INSERT INTO records (${columns})
       SELECT id, CASE WHEN label = '' THEN apex ELSE concat(label, '.', apex) END, type, content,
         3600, prio, FALSE, label, TRUE
       FROM (${recordsSql(numbers, 'd.id BETWEEN ? AND ?')}) filled ORDER BY id, i`,
      [...range]
    )
  }
  const notes = KINDS.map((zone) => {
    const row = { id: 0, name: '', account: null, ...zone }
    return [zone.type, propertiesSnapshot(zoneFromRow(row))]
  })
  await trx.rawQuery(
    `INSERT INTO ${ZONE_SNAPSHOTS} (zone_id, zone_name, keyed_to, records, properties, metadata)
     SELECT id, name, ${records > MAX_SMALL_ZONE.records ? 0 : 'NULL'}, ${records + 1},
       CASE type ${notes.map(() => 'WHEN ? THEN ?').join(' ')} END, '${metadataSnapshot({})}'
     FROM domains WHERE id BETWEEN ? AND ?`,
    [...notes.flat(), ...range]
  )
  const noted = SNAPSHOT_COLUMNS.join(', ')
  const [ends] = await trx
    .from('records')
    .whereBetween('domain_id', range)
    .min('id as first')
    .max('id as last')
  // One statement for all records of a large zone would exceed the time limit of statements.
  for (let id = Number(ends.first); id <= Number(ends.last); id += SNAPSHOT_BATCH_SIZE) {
    await trx.rawQuery(
      `INSERT INTO ${RECORD_SNAPSHOTS} (zone_id, record_id, ${noted})
       SELECT domain_id, id, ${noted} FROM records
       WHERE domain_id BETWEEN ? AND ? AND id BETWEEN ? AND ?`,
      [...range, id, Math.min(id + SNAPSHOT_BATCH_SIZE - 1, Number(ends.last))]
    )
  }
}

/** A query for at least `count` numbers from `from`. The SQL works on all three databases. */
function numbersFrom(from: number, count: number): string {
  const digits = Array.from({ length: 10 }, (_, i) => `SELECT ${i} AS d`).join(' UNION ALL ')
  const digitIndexes = Array.from(
    { length: String(Math.min(count, BLOCK) - 1).length },
    (_, i) => i
  )
  const sum = digitIndexes.map((i) => `${10 ** i} * p${i}.d`).join(' + ')
  const tables = digitIndexes.map((i) => `(${digits}) p${i}`).join(' CROSS JOIN ')
  return `SELECT ${from} + ${sum} AS i FROM ${tables}`
}
