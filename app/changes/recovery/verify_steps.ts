import { isDeepStrictEqual } from 'node:util'
import type { BackendZone } from '#backends/contract/backend'
import type { UnconfirmedStep } from '#backends/contract/pending_writes'
import type { WriteSession } from '#backends/contract/write_session'
import { sameValues, type Metadata } from '#dns/metadata/metadata'
import { isSerialOnly, stateAmong } from '#dns/outcome'

/**
 * Whether a step is visible in the zone. Keys are not, and a serial does not show who changed it.
 */
export function isVerifiable(step: UnconfirmedStep): boolean {
  switch (step.kind) {
    case 'records':
      return step.changes.some((change) => !isSerialOnly(change))
    case 'properties':
    case 'metadata':
    case 'delete':
      return true
    default:
      return false
  }
}

/** The steps that are visible in the zone; of a metadata step, the visible kinds. */
export async function findVisibleSteps(
  session: WriteSession,
  zone: BackendZone,
  steps: UnconfirmedStep[]
): Promise<UnconfirmedStep[]> {
  if (await session.isMissingOnServer?.(zone)) {
    return steps.filter(({ kind }) => kind === 'delete')
  }
  const visible: UnconfirmedStep[] = []
  for (const step of steps) {
    if (step.kind === 'metadata') {
      visible.push(...(await visibleKinds(session, zone, step)))
    } else if (await isVisible(session, zone, step)) {
      visible.push(step)
    }
  }
  return visible
}

async function isVisible(
  session: WriteSession,
  zone: BackendZone,
  step: UnconfirmedStep
): Promise<boolean> {
  switch (step.kind) {
    case 'records':
      return stateAmong(step.changes, await session.rrsetsAt(zone, namesIn(step))) === 'after'
    case 'properties':
      return Object.entries(step.after).every(([key, value]) =>
        isDeepStrictEqual(zone[key as keyof typeof step.after] ?? null, value ?? null)
      )
    default:
      return false
  }
}

/**
 * The visible part of a metadata step: each kind is a call, and the process may have ended in
 * between.
 */
async function visibleKinds(
  session: WriteSession,
  zone: BackendZone,
  step: Extract<UnconfirmedStep, { kind: 'metadata' }>
): Promise<UnconfirmedStep[]> {
  const found = await session.metadataOf(zone)
  const hasValues = (kind: string, of: Metadata) => sameValues(found[kind] ?? [], of[kind] ?? [])
  const kinds = Object.keys(step.after)
  if (kinds.every((kind) => hasValues(kind, step.after))) {
    return [step]
  }
  const visible = kinds.filter(
    (kind) => hasValues(kind, step.after) && !hasValues(kind, step.before)
  )
  const pick = (of: Metadata) => Object.fromEntries(visible.map((kind) => [kind, of[kind] ?? []]))
  return visible.length > 0 ? [{ ...step, before: pick(step.before), after: pick(step.after) }] : []
}

/** Owner names that a step writes. */
export function namesIn(step: UnconfirmedStep): string[] {
  return step.kind === 'records' ? [...new Set(step.changes.map(({ name }) => name))] : []
}
