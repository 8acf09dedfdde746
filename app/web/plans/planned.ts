import type { HttpContext } from '@adonisjs/core/http'
import type { I18n } from '@adonisjs/i18n'
import type { Actor } from '#access/actor'
import type { ZoneProperties } from '#changes/model/zone_properties'
import { intentOf, type Intent } from '#changes/model/intent'
import { StalePlan } from '#changes/planning/plan_store'
import type { Outcome } from '#changes/model/outcome'
import type { ChangePlan } from '#changes/model/zone_plan'
import { reviewTerms } from '#web/forms/review_options'
import { problemIn, type FormProblem } from '#web/forms/errors'
import { submitOnce } from '#web/forms/form_token'
import { planView, type DiffLine, type PlanView } from '#web/plans/plan_view'

/** A plan for the page that asks whether to apply it. */
export type PlannedView = PlanView & { properties: DiffLine[] }

/** A plan, or the reason why there is none. */
export interface PlanResult {
  plan: PlannedView | null
  problem: FormProblem | null
}

/** A use case that writes. */
type PlannedWrite<T> = (intent: Intent) => Promise<Outcome<T>>

/** The plan of a write by a dry run. Throws the errors of the write. */
export async function dryRun(actor: Actor, write: PlannedWrite<unknown>): Promise<ChangePlan> {
  const outcome = await write(intentOf(actor, { dryRun: true, review: 'file' }))
  if (outcome.kind !== 'planned') {
    throw new Error('A dry run ended without a plan')
  }
  return outcome.plan
}

/**
 * The plan of a write; changes nothing. A refusal is the problem of the page. Throws errors with a page of their own: a
 * missing object or right.
 */
export async function planWrite(
  { actor, i18n }: HttpContext,
  write: PlannedWrite<unknown>,
  { withMetadata = true } = {}
): Promise<PlanResult> {
  try {
    const plan = await dryRun(actor, write)
    return { plan: await plannedView(plan, withMetadata), problem: null }
  } catch (error) {
    return { plan: null, problem: problemOf(i18n, error) }
  }
}

/** Outcome of the application of a plan. */
export type AppliedOrRefused<T> = Outcome<T> | ({ kind: 'refused' } & PlanResult)

/** Applies exactly the displayed plan, by its hash; once, if the form has `once`. Throws like `planned`. */
export async function applied<T>(
  ctx: HttpContext,
  { planHash, reason }: { planHash: string; reason: string | null },
  write: PlannedWrite<T>,
  { withMetadata = true, moved = '' } = {}
): Promise<AppliedOrRefused<T>> {
  const { actor, i18n } = ctx
  let review: ReturnType<typeof reviewTerms>
  try {
    review = reviewTerms(ctx)
  } catch (error) {
    // Review options do not change the plan.
    const { plan } = await planWrite(ctx, write, { withMetadata })
    return { kind: 'refused', plan, problem: problemOf(i18n, error) }
  }
  try {
    return await submitOnce(ctx, (repeatId) =>
      write(intentOf(actor, { planHash, reason, repeatId, ...review }))
    )
  } catch (error) {
    if (error instanceof StalePlan) {
      const plan = error.plan && (await plannedView(error.plan, withMetadata))
      return { kind: 'refused', plan, problem: { status: 409, message: moved } }
    }
    return { kind: 'refused', plan: null, problem: problemOf(i18n, error) }
  }
}

/** Properties of zones before and after, in lines. */
export function propertyLines(
  before: ZoneProperties | null,
  after: ZoneProperties | null,
  withMetadata: boolean
): DiffLine[] {
  const [old, wanted] = [linesOf(before, withMetadata), linesOf(after, withMetadata)]
  return [
    ...old.filter((text) => !wanted.includes(text)).map((text) => ({ sign: '-' as const, text })),
    ...wanted.filter((text) => !old.includes(text)).map((text) => ({ sign: '+' as const, text })),
  ]
}

function linesOf(properties: ZoneProperties | null, withMetadata: boolean): string[] {
  const { name, kind, masters, account, description, metadata = {} } = properties ?? {}
  const plain = { name, kind, masters: masters?.join(', '), account, description }
  return [
    ...Object.entries(plain)
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name_, value]) => `${name_}: ${value}`),
    ...(withMetadata
      ? Object.entries(metadata).flatMap(([name_, values]) =>
          values.map((value) => `metadata ${name_}: ${value}`)
        )
      : []),
  ]
}

/** Adds the changed properties of the zones to a plan. */
export async function plannedView(plan: ChangePlan, withMetadata: boolean): Promise<PlannedView> {
  const properties = plan.zones.flatMap((zone) =>
    zone.properties
      ? propertyLines(zone.properties.before, zone.properties.after, withMetadata)
      : []
  )
  return { ...(await planView(plan)), properties }
}

function problemOf(i18n: I18n, error: unknown): FormProblem {
  const problem = problemIn(i18n, error)
  if (!problem || [401, 403, 404].includes(problem.status)) {
    throw error
  }
  return problem
}
