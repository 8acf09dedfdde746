import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { timestampBefore, timestampNow } from '#changes/model/clock'
import { planHash, planParts, stateDigest, type PlanPart } from '#changes/model/plan_hash'
import type { ChangePlan } from '#changes/model/zone_plan'
import type { RRset, RRsetKey } from '#dns/types'
import { invalid } from '#exceptions/refusal'
import { stringifyYielding } from '#database/event_loop'
import { retryOnConflict } from '#database/conflicts'

/*
 * Plans that were shown, by their hash. Only digests are stored, to report what changed since. The
 * hash alone decides whether a plan is still valid.
 */

const RETENTION_HOURS = 24
/** Parts of the largest stored plan: more may not fit into one statement of MariaDB (16 MiB). */
const MAX_PARTS = 20_000
const PLAN_HASH = /^sha256:[0-9a-f]{64}$/

/** The plan differs from the requested one. Nothing was changed. */
export class StalePlan extends Error {
  constructor(
    /** The current plan; null if the change is not possible any more. */
    readonly plan: ChangePlan | null,
    /** RRsets with another plan than before; type '' is the zone itself. */
    readonly changedRRsets: RRsetKey[],
    reason = ''
  ) {
    super(`The plan is outdated: its data has changed${reason}`)
  }
}

/** Stores the digests of a plan for a day, except those of very large plans. */
export async function storePlan({ hash, zones }: ChangePlan): Promise<void> {
  const parts = await planParts(zones)
  if (parts.length > MAX_PARTS) {
    return
  }
  const row = { hash, parts: await stringifyYielding(parts), created_at: timestampNow() }
  await retryOnConflict(async () => {
    await db.from('zw_plans').where('created_at', '<', timestampBefore(RETENTION_HOURS)).delete()
    await db.table('zw_plans').knexQuery.insert(row).onConflict('hash').merge(['created_at'])
  })
}

/** Throws 400 for a text that is no plan hash. */
export function checkPlanHashFormat(text: string): void {
  if (!PLAN_HASH.test(text)) {
    throw invalid(
      `Field 'plan_hash' must be the plan_hash of a dry run (sha256: and 64 hex digits), found "${text.slice(0, 100)}"`
    )
  }
}

/**
 * Throws `StalePlan` unless the plan has this hash, and 400 for an invalid hash.
 *
 * @param trx the transaction in which the plan was computed
 */
export async function checkPlanHash(
  trx: QueryClientContract,
  expectedHash: string,
  plan: ChangePlan,
  parts: PlanPart[]
): Promise<void> {
  checkPlanHashFormat(expectedHash)
  if (planHash(parts) !== expectedHash) {
    throw new StalePlan(plan, findChangedRRsets(await partsOf(trx, expectedHash), parts))
  }
}

/**
 * The error for a change that cannot be planned although its plan is stored. It is `StalePlan` if
 * an RRset differs from the start of that plan, else `error`.
 *
 * @param trx the transaction in which the planning failed
 * @param current reads the RRsets of a zone at some owner names, in the same transaction
 */
export async function toStalePlan(
  error: Error,
  trx: QueryClientContract,
  expectedHash: string,
  current: (zone: string, names: string[]) => Promise<RRset[]>
): Promise<Error> {
  const storedParts = await partsOf(trx, expectedHash)
  const parts = storedParts.filter(({ before }) => before !== undefined)
  const changedRRsets: RRsetKey[] = []
  for (const [zone, planned] of Map.groupBy(parts, (part) => part.zone)) {
    const sets = await current(zone, [...new Set(planned.map(({ name }) => name))])
    const currentSets = new Map(sets.map((set) => [`${set.name} ${set.type}`, set]))
    for (const { name, type, before } of planned) {
      const isSame = stateDigest(currentSets.get(`${name} ${type}`) ?? null) === before
      if (!isSame) changedRRsets.push({ name, type })
    }
  }
  return changedRRsets.length > 0 ? new StalePlan(null, changedRRsets, `; ${error.message}`) : error
}

async function partsOf(trx: QueryClientContract, hash: string): Promise<PlanPart[]> {
  const row: { parts: string } | null = await trx.from('zw_plans').where('hash', hash).first()
  return row ? (JSON.parse(row.parts) as PlanPart[]) : []
}

/** The difference between two plans; all of the new one if the old one is not stored any more. */
function findChangedRRsets(old: PlanPart[], currentSets: PlanPart[]): RRsetKey[] {
  const keyOf = ({ zone, name, type }: PlanPart) => `${zone} ${name} ${type}`
  const digests = (parts: PlanPart[]) => new Map(parts.map((part) => [keyOf(part), part]))
  const [before, after] = [digests(old), digests(currentSets)]
  return [...new Map([...before, ...after])]
    .filter(([key]) => before.get(key)?.digest !== after.get(key)?.digest)
    .map(([, { name, type }]) => ({ name, type }))
}
