import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { momentBefore, momentNow } from '#changes/model/clock'
import { planHash, planParts, stateDigest, type PlanPart } from '#changes/model/plan_hash'
import type { ChangePlan } from '#changes/model/zone_plan'
import type { RRset, RRsetKey } from '#dns/types'
import { invalid } from '#exceptions/refusal'
import { stringifyYielding } from '#database/event_loop'
import { retryOnConflict } from '#database/conflicts'

/*
 * Plans that were shown to somebody, by their hash. Only digests are kept, and only so that it can be told
 * what moved since; whether a plan still holds is decided by the hash alone.
 */

const KEPT_HOURS = 24
/** Parts of the largest plan that is kept: more may not fit into one statement for MariaDB (16 MiB). */
const MOST_PARTS = 20_000
const HASH = /^sha256:[0-9a-f]{64}$/

/** A plan is no longer the one that was asked for. Nothing was changed. */
export class StalePlan extends Error {
  constructor(
    /** The plan as it would be now; null where the change cannot be made any more. */
    readonly plan: ChangePlan | null,
    /** RRsets for which something else is planned now; type '' is the zone itself. */
    readonly moved: RRsetKey[],
    reason = ''
  ) {
    super(`The plan no longer holds: what it was made against has changed${reason}`)
  }
}

/** Keeps the digests of a plan for a day; of very large ones nothing is kept. */
export async function rememberPlan({ hash, zones }: ChangePlan): Promise<void> {
  const parts = await planParts(zones)
  if (parts.length > MOST_PARTS) {
    return
  }
  const row = { hash, parts: await stringifyYielding(parts), created_at: momentNow() }
  await retryOnConflict(async () => {
    await db.from('zw_plans').where('created_at', '<', momentBefore(KEPT_HOURS)).delete()
    await db.table('zw_plans').knexQuery.insert(row).onConflict('hash').merge(['created_at'])
  })
}

/** Throws a 400 for what is no hash of a plan. */
export function demandPlanHash(text: string): void {
  if (!HASH.test(text)) {
    throw invalid(
      `Field 'plan_hash' must be the plan_hash of a dry run (sha256: and 64 hex digits), found "${text.slice(0, 100)}"`
    )
  }
}

/**
 * Throws `StalePlan` unless this is the plan of that hash, and a 400 for what is no hash.
 *
 * @param trx the transaction in which the plan was made
 */
export async function checkPlanHash(
  trx: QueryClientContract,
  wanted: string,
  plan: ChangePlan,
  parts: PlanPart[]
): Promise<void> {
  demandPlanHash(wanted)
  if (planHash(parts) !== wanted) {
    throw new StalePlan(plan, movedSince(await partsOf(trx, wanted), parts))
  }
}

/**
 * What is to be told of a change that cannot be planned although its plan is known: `StalePlan`, where an
 * RRset is not what that plan started from, else the error as it is.
 *
 * @param trx     the transaction in which it could not be planned
 * @param current reads the RRsets of a zone at some owner names, in the same transaction
 */
export async function movedOr(
  error: Error,
  trx: QueryClientContract,
  wanted: string,
  current: (zone: string, names: string[]) => Promise<RRset[]>
): Promise<Error> {
  const known = await partsOf(trx, wanted)
  const parts = known.filter(({ before }) => before !== undefined)
  const moved: RRsetKey[] = []
  for (const [zone, planned] of Map.groupBy(parts, (part) => part.zone)) {
    const sets = await current(zone, [...new Set(planned.map(({ name }) => name))])
    const now = new Map(sets.map((set) => [`${set.name} ${set.type}`, set]))
    for (const { name, type, before } of planned) {
      const isSame = stateDigest(now.get(`${name} ${type}`) ?? null) === before
      if (!isSame) moved.push({ name, type })
    }
  }
  return moved.length > 0 ? new StalePlan(null, moved, `; ${error.message}`) : error
}

async function partsOf(trx: QueryClientContract, hash: string): Promise<PlanPart[]> {
  const row: { parts: string } | null = await trx.from('zw_plans').where('hash', hash).first()
  return row ? (JSON.parse(row.parts) as PlanPart[]) : []
}

/** What differs between two plans; all of the new one when the old one is not known any more. */
function movedSince(old: PlanPart[], now: PlanPart[]): RRsetKey[] {
  const keyOf = ({ zone, name, type }: PlanPart) => `${zone} ${name} ${type}`
  const digests = (parts: PlanPart[]) => new Map(parts.map((part) => [keyOf(part), part]))
  const [before, after] = [digests(old), digests(now)]
  return [...new Map([...before, ...after])]
    .filter(([key]) => before.get(key)?.digest !== after.get(key)?.digest)
    .map(([, { name, type }]) => ({ name, type }))
}
