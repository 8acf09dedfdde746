import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { shownStep, type ZoneStep } from '#backends/mirrored/intended'
import type { UnconfirmedStep, UnconfirmedWrite } from '#backends/unconfirmed'
import { chunks } from '#database/chunks'
import { inTransaction } from '#database/transaction'

const WRITES = 'zw_intended_writes'
const CALLS = 'zw_intended_calls'

/** Who it is that begins writes: this process, and no other that ever ran. */
const NODE = `${hostname().slice(0, 60)} ${process.pid} ${randomUUID()}`

interface WriteRow {
  id: string
  node: string
  began_at: string
  author: string | null
  told: string | null
}

interface CallRow {
  write_id: string
  zone_id: number
  zone_name: string
  kind: string
  changes: string
}

/** Keeps what a write is about to do at the server, until it is confirmed. Answers its id. */
export async function intend(
  client: QueryClientContract,
  steps: readonly ZoneStep[],
  intended: { author: object; told: object } | null
): Promise<string> {
  const id = randomUUID()
  // Until it is made, a zone has an id that another one may get.
  const coming = new Set(steps.flatMap((step) => (step.kind === 'create' ? [step.zoneName] : [])))
  await inTransaction(client, async (trx) => {
    await trx.table(WRITES).insert({
      id,
      node: NODE,
      began_at: new Date().toISOString(),
      author: intended && JSON.stringify(intended.author),
      told: intended && JSON.stringify(intended.told),
    })
    const calls = steps.map((step) => {
      const { kind, changes } = shownStep(step)
      const zoneId = coming.has(step.zoneName) ? 0 : step.zoneId
      return { write_id: id, zone_id: zoneId, zone_name: step.zoneName, kind, changes }
    })
    for (const part of chunks(calls)) {
      await trx.table(CALLS).multiInsert(part)
    }
  })
  return id
}

/** Forgets a write; within its transaction, this is what confirms it. Answers whether it was still there. */
export async function settle(client: QueryClientContract, id: string): Promise<boolean> {
  await client.from(CALLS).where('write_id', id).delete()
  const gone: unknown = await client.from(WRITES).where('id', id).delete()
  return Number(gone) > 0
}

/** Writes about these zones that are not confirmed, other than one. */
export async function pendingOf(
  client: QueryClientContract,
  zoneIds: readonly number[]
): Promise<boolean> {
  const row: unknown = await client
    .from(CALLS)
    .whereIn('zone_id', [...zoneIds])
    .first()
  return Boolean(row)
}

/** All writes that are not confirmed, or those about some zones, the oldest first. */
export async function unconfirmed(
  client: QueryClientContract,
  { zoneIds, before }: { zoneIds?: readonly number[]; before?: string } = {}
): Promise<UnconfirmedWrite[]> {
  const rows = client.from(WRITES).orderBy('began_at').orderBy('id').limit(100)
  if (zoneIds) {
    rows.whereIn(
      'id',
      client
        .from(CALLS)
        .whereIn('zone_id', [...zoneIds])
        .select('write_id')
    )
  }
  if (before !== undefined) {
    rows.where('began_at', '<', before)
  }
  const writes = (await rows) as WriteRow[]
  const calls = (await client
    .from(CALLS)
    .whereIn(
      'write_id',
      writes.map(({ id }) => id)
    )
    .orderBy('id')) as CallRow[]
  return writes.map(({ id, began_at: beganAt, author, told }) => ({
    id,
    beganAt,
    author: author === null ? null : (JSON.parse(author) as object),
    told: told === null ? null : (JSON.parse(told) as object),
    steps: calls.filter((call) => call.write_id === id).map(stepOf),
  }))
}

/** A step as it is kept, see `shownStep`. */
function stepOf({ zone_id: zoneId, zone_name: zoneName, kind, changes }: CallRow): UnconfirmedStep {
  return { zoneId, zoneName, kind, ...(JSON.parse(changes) as object) } as UnconfirmedStep
}

/** Whether another write than this one is to make a zone of that name. */
export async function isMadeByAnother(
  trx: TransactionClientContract,
  id: string,
  zoneName: string
): Promise<boolean> {
  const row: unknown = await trx
    .from(CALLS)
    .where({ kind: 'create', zone_name: zoneName })
    .whereNot('write_id', id)
    .first()
  return Boolean(row)
}

/** Holds a write until the transaction ends; false where it is confirmed, or forgotten, by now. */
export async function hold(trx: TransactionClientContract, id: string): Promise<boolean> {
  await trx.from(WRITES).where('id', id).update({ id })
  return Boolean((await trx.from(WRITES).where('id', id).first()) as unknown)
}
