import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { WritesPending } from '#backends/contract/errors'
import { comparableStep, type ZoneStep } from '#backends/pending_writes/steps'
import { MIRROR_TABLES } from '#backends/mirrored/mirror_tables'
import type { BackendZone } from '#backends/contract/types'
import {
  HEARTBEAT_TIMEOUT_MS,
  type UnconfirmedStep,
  type UnconfirmedWrite,
  type PendingWriteFilter,
} from '#backends/contract/pending_writes'
import type { PendingWriteHooks, PendingEffects } from '#backends/contract/write_session'
import { chunks, textParts } from '#database/statements/chunks'
import { inTransaction } from '#database/transaction'

export const WRITES_TABLE = 'zw_pending_writes'
export const STEPS_TABLE = 'zw_pending_steps'

/** How many writes are read at once. */
const BATCH_SIZE = 100

/** Identifies this process among all that ever stored writes. */
const NODE = `${hostname().slice(0, 60)} ${process.pid} ${randomUUID()}`

/** Kind of the rows with the side effects of a write. */
export const EFFECTS_KIND = 'effects'

interface WriteRow {
  id: string
  node: string
  began_at: string
  author: string | null
}

interface StepRow {
  write_id: string
  zone_id: number
  zone_name: string
  kind: string
  /** Number of the part from 0; each part continues the text of the row before. */
  part: number
  changes: string
}

/** A stored write, or the calls that were added to an earlier one. */
export interface StoredWrite {
  id: string
  /** The last earlier step, and the start time of the earlier write; null for a new write. */
  earlier: { call: number; beganAt: string } | null
  /** Hooks of the write. */
  hooks?: PendingWriteHooks
}

/**
 * Stores the steps of a write before they are done at the server. Of concurrent writes of a zone, in any process, one is
 * stored; the others throw `WritesPending`.
 *
 * @param settledWriteId the earlier write that it belongs to; null for a new one. Returns null if the earlier one is deleted
 */
export async function storeWrite(
  client: QueryClientContract,
  steps: readonly ZoneStep[],
  pendingEffects: PendingEffects | null,
  settledWriteId: string | null
): Promise<StoredWrite | null> {
  // The id of a zone that is not created yet can be assigned to another zone.
  const createdNames = new Set(
    steps.flatMap((step) => (step.kind === 'create' ? [step.zoneName] : []))
  )
  return inTransaction(client, async (trx) => {
    const storedWrite =
      settledWriteId === null
        ? await insertWrite(trx, pendingEffects)
        : await joinEarlierWrite(trx, settledWriteId)
    if (!storedWrite) {
      return null
    }
    const { id } = storedWrite
    if (settledWriteId === null) {
      const existingZoneSteps = steps.filter(({ zoneName }) => !createdNames.has(zoneName))
      await lockUnlessPending(trx, [...new Set(existingZoneSteps.map(({ zoneId }) => zoneId))])
    }
    const calls = steps.map((step) => {
      const zoneId = createdNames.has(step.zoneName) ? 0 : step.zoneId
      return { zone_id: zoneId, zone_name: step.zoneName, ...comparableStep(step) }
    })
    await storeSteps(trx, id, calls)
    await storedWrite.hooks?.onStored(trx)
    return storedWrite
  })
}

/** Locks the zones, so that no other write of them is stored until the transaction ends. */
async function lockUnlessPending(trx: TransactionClientContract, zoneIds: number[]): Promise<void> {
  await trx
    .from(MIRROR_TABLES.zones)
    .whereIn('id', zoneIds)
    .update({ version: trx.raw('version') })
  if (await pendingOf(trx, zoneIds)) {
    throw new WritesPending(zoneIds)
  }
}

/** Stores that the server will be asked to change the signing of a zone; see `UnconfirmedWrites.begin`. */
export async function storeSigning(
  trx: TransactionClientContract,
  zone: BackendZone,
  author: object,
  pendingSigning: object
): Promise<string> {
  const { id } = await insertWrite(trx, { author, effects: [] })
  const call = { zone_id: zone.id, zone_name: zone.name, kind: 'signing' }
  await storeSteps(trx, id, [{ ...call, changes: JSON.stringify({ pendingSigning }) }])
  return id
}

/** Stores texts in parts, because a database limits the size of a statement. */
async function storeSteps(
  trx: TransactionClientContract,
  id: string,
  calls: Omit<StepRow, 'write_id' | 'part'>[]
): Promise<void> {
  const rows = calls.flatMap((call) =>
    textParts(call.changes).map((changes, part) => ({ write_id: id, ...call, part, changes }))
  )
  for (const batch of chunks(rows)) {
    await trx.table(STEPS_TABLE).multiInsert(batch)
  }
}

async function insertWrite(
  trx: TransactionClientContract,
  pendingEffects: PendingEffects | null
): Promise<StoredWrite> {
  const id = randomUUID()
  await trx.table(WRITES_TABLE).insert({
    id,
    node: NODE,
    began_at: new Date().toISOString(),
    author: pendingEffects && JSON.stringify(pendingEffects.author),
  })
  if (pendingEffects) {
    const changes = JSON.stringify(pendingEffects.effects)
    await storeSteps(trx, id, [{ zone_id: 0, zone_name: '', kind: EFFECTS_KIND, changes }])
  }
  return { id, earlier: null, hooks: pendingEffects?.hooks }
}

/** Adds to an earlier write, which counts as running again. */
async function joinEarlierWrite(
  trx: TransactionClientContract,
  id: string
): Promise<StoredWrite | null> {
  if (!(await lockWrite(trx, id))) {
    return null
  }
  const { began_at: beganAt } = (await trx
    .from(WRITES_TABLE)
    .where('id', id)
    .firstOrFail()) as WriteRow
  await trx.from(WRITES_TABLE).where('id', id).update({ began_at: new Date().toISOString() })
  const [row] = (await trx.from(STEPS_TABLE).where('write_id', id).max('id as last')) as {
    last: unknown
  }[]
  return { id, earlier: { call: Number(row.last ?? 0), beganAt } }
}

/**
 * Deletes a write that was not done or was reversed; restores an earlier write that it belongs to. Readers that saw a part of
 * it must read the zones again.
 *
 * @param zoneIds zones for which the server was called
 */
export async function withdrawWrite(
  client: QueryClientContract,
  { id, earlier, hooks }: StoredWrite,
  zoneIds: readonly number[]
): Promise<void> {
  await inTransaction(client, async (trx) => {
    await lockWrite(trx, id)
    await trx
      .from(MIRROR_TABLES.zones)
      .whereIn('id', [...zoneIds])
      .update({ version: trx.raw('version + 1') })
    if (earlier !== null) {
      await trx.from(WRITES_TABLE).where('id', id).update({ began_at: earlier.beganAt })
      await trx.from(STEPS_TABLE).where('write_id', id).where('id', '>', earlier.call).delete()
    } else if (await confirmWrite(trx, id)) {
      await hooks?.onWithdrawn(trx)
    }
  })
}

/** Deletes a write, which confirms it in this transaction. Returns whether it still existed. */
export async function confirmWrite(client: QueryClientContract, id: string): Promise<boolean> {
  await client.from(STEPS_TABLE).where('write_id', id).delete()
  const deletedRows: unknown = await client.from(WRITES_TABLE).where('id', id).delete()
  return Number(deletedRows) > 0
}

/**
 * Whether a write of these zones is pending. While a zone is being signed, other writes are allowed: the consequences are derived
 * from its later state.
 */
export async function pendingOf(
  client: QueryClientContract,
  zoneIds: readonly number[]
): Promise<boolean> {
  const row: unknown = await client
    .from(STEPS_TABLE)
    .join(WRITES_TABLE, `${WRITES_TABLE}.id`, `${STEPS_TABLE}.write_id`)
    .whereIn('zone_id', [...zoneIds])
    .where((calls) => {
      const heartbeatCutoff = new Date(Date.now() - HEARTBEAT_TIMEOUT_MS).toISOString()
      calls.whereNot('kind', 'signing').orWhere('began_at', '<', heartbeatCutoff)
    })
    .first()
  return Boolean(row)
}

/** All unconfirmed writes, or those of some zones, oldest first. Yields each once, also if earlier ones stay. */
export async function* readUnconfirmedWrites(
  client: QueryClientContract,
  { zoneIds, before }: PendingWriteFilter = {}
): AsyncGenerator<UnconfirmedWrite> {
  const since = new Date().toISOString()
  let page = await readPage(client, { zoneIds, before }, null)
  yield* page
  while (page.length === BATCH_SIZE) {
    // Skips writes that are running again.
    page = await readPage(client, { zoneIds, before: before ?? since }, page.at(-1)!)
    yield* page
  }
}

async function readPage(
  client: QueryClientContract,
  { zoneIds, before }: PendingWriteFilter,
  after: Pick<UnconfirmedWrite, 'id' | 'beganAt'> | null
): Promise<UnconfirmedWrite[]> {
  const rows = client.from(WRITES_TABLE).orderBy('began_at').orderBy('id').limit(BATCH_SIZE)
  if (before !== undefined) {
    rows.where('began_at', '<', before)
  }
  if (after) {
    rows.where((afterCondition) => {
      afterCondition
        .where('began_at', '>', after.beganAt)
        .orWhere((sameTime) => sameTime.where('began_at', after.beganAt).where('id', '>', after.id))
    })
  }
  if (zoneIds) {
    rows.whereIn(
      'id',
      client
        .from(STEPS_TABLE)
        .whereIn('zone_id', [...zoneIds])
        .select('write_id')
    )
  }
  const writes = (await rows) as WriteRow[]
  const calls = (await client
    .from(STEPS_TABLE)
    .whereIn(
      'write_id',
      writes.map(({ id }) => id)
    )
    .orderBy('id')) as StepRow[]
  const byWrite = Map.groupBy(calls, (call) => call.write_id)
  return writes.map(({ id, began_at: beganAt, author }) => {
    const stepRows = joinParts(byWrite.get(id) ?? [])
    const effects = stepRows.find(({ kind }) => kind === EFFECTS_KIND)
    return {
      id,
      beganAt,
      author: author === null ? null : (JSON.parse(author) as object),
      effects: effects ? (JSON.parse(effects.changes) as object) : null,
      steps: stepRows.filter((call) => call !== effects).map(parseStep),
    }
  })
}

/** Joins the parts of each step of a write. */
function joinParts(rows: StepRow[]): StepRow[] {
  const calls: { row: StepRow; texts: string[] }[] = []
  for (const row of rows) {
    if (row.part === 0) calls.push({ row, texts: [] })
    calls.at(-1)?.texts.push(row.changes)
  }
  return calls.map(({ row, texts }) => ({ ...row, changes: texts.join('') }))
}

/** A stored step, see `comparableStep`. */
function parseStep({
  zone_id: zoneId,
  zone_name: zoneName,
  kind,
  changes,
}: StepRow): UnconfirmedStep {
  return { zoneId, zoneName, kind, ...(JSON.parse(changes) as object) } as UnconfirmedStep
}

/** Whether another write is creating a zone of that name. */
export async function isCreatedByAnother(
  trx: TransactionClientContract,
  id: string,
  zoneName: string
): Promise<boolean> {
  const row: unknown = await trx
    .from(STEPS_TABLE)
    .where({ kind: 'create', zone_name: zoneName })
    .whereNot('write_id', id)
    .first()
  return Boolean(row)
}

/** Locks a write until the transaction ends; false if it is confirmed or deleted. */
export async function lockWrite(trx: TransactionClientContract, id: string): Promise<boolean> {
  await trx.from(WRITES_TABLE).where('id', id).update({ id })
  return Boolean((await trx.from(WRITES_TABLE).where('id', id).first()) as unknown)
}
