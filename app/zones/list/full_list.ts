import { setImmediate as turn } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import type { ZoneIndex } from '#backends/contract/backend'
import { listedKind } from '#changes/zone_index/zone_rows'
import { PreparedStatement } from '#database/statements/prepared'

export interface ListedZone {
  id: number
  name: string
  /** Kind as PowerDNS writes it. */
  type: string
}

/** Zones per statement. */
const LIST_BATCH_SIZE = 2_000

/** Statements for the first batch, and for the batch after a name. */
interface Statements {
  first: PreparedStatement<ListedZone>
  next: PreparedStatement<ListedZone>
}

/** One per index, so that each statement is prepared once. */
const known = new WeakMap<ZoneIndex, Statements>()

/**
 * Yields all zones in batches, by name, each read on demand. Zones created or deleted during the
 * read may be missing. Rows of the driver are converted in place, which saves one object per zone.
 */
export async function* everyZone(index: ZoneIndex): AsyncGenerator<ListedZone[], void> {
  const client = db.connection()
  const { first, next } = statementsOf(index)
  for (let rows = await first.rows(client, []); ;) {
    const isLast = rows.length < LIST_BATCH_SIZE
    const name = rows.at(-1)?.name
    for (const zone of rows) {
      // PostgreSQL returns 64-bit numbers as text.
      zone.id = Number(zone.id)
      zone.name = zone.name.toLowerCase()
      zone.type = listedKind(zone.type)
    }
    yield rows
    if (isLast || name === undefined) {
      return
    }
    // The SQLite driver is synchronous: this lets other requests run between batches.
    await turn()
    rows = await next.rows(client, [name])
  }
}

function statementsOf(index: ZoneIndex): Statements {
  const statements = known.get(index) ?? prepared(index)
  known.set(index, statements)
  return statements
}

function prepared({ table, columns: { id, name, kind } }: ZoneIndex): Statements {
  const all = `select ${id} as id, ${name} as name, ${kind} as type from ${table}`
  const inOrder = `order by ${name} limit ${LIST_BATCH_SIZE}`
  return {
    first: new PreparedStatement(`${all} ${inOrder}`),
    next: new PreparedStatement(`${all} where ${name} > ? ${inOrder}`),
  }
}
