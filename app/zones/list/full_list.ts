import { setImmediate as turn } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import type { ZoneIndex } from '#backends/contract/backend'
import { listedKind } from '#changes/zone_index/zone_rows'
import { PreparedStatement } from '#database/statements/prepared'

/** A zone in a list. */
export interface ListedZone {
  id: number
  name: string
  /** PowerDNS' word for the kind. */
  type: string
}

/** Zones of one statement. */
const BATCH = 2_000

/** How an index is read whole: from the first name, and from behind a name. */
interface Statements {
  first: PreparedStatement<ListedZone>
  next: PreparedStatement<ListedZone>
}

/** By index, so that each is prepared once. */
const known = new WeakMap<ZoneIndex, Statements>()

/**
 * All zones of an index in batches, by name. Zones that come or go meanwhile are in it or not; all others are, once. What the driver
 * hands out is put right in place, and each batch is read when it is asked for: of a hundred thousand zones
 * every object and every statement counts.
 */
export async function* everyZone(index: ZoneIndex): AsyncGenerator<ListedZone[], void> {
  const client = db.connection()
  const { first, next } = statementsOf(index)
  for (let rows = await first.rows(client, []); ;) {
    const isLast = rows.length < BATCH
    const name = rows.at(-1)?.name
    for (const zone of rows) {
      // PostgreSQL has numbers of 64 bits as texts.
      zone.id = Number(zone.id)
      zone.name = zone.name.toLowerCase()
      zone.type = listedKind(zone.type)
    }
    yield rows
    if (isLast || name === undefined) {
      return
    }
    // SQLite's driver is synchronous: others get their turn between the batches.
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
  const inOrder = `order by ${name} limit ${BATCH}`
  return {
    first: new PreparedStatement(`${all} ${inOrder}`),
    next: new PreparedStatement(`${all} where ${name} > ? ${inOrder}`),
  }
}
