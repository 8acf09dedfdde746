import { isDeepStrictEqual } from 'node:util'
import type { BackendZone } from '#backends/contract/backend'
import type { UnconfirmedStep } from '#backends/contract/pending_writes'
import type { WriteSession } from '#backends/contract/write_session'
import { sameValues, type Metadata } from '#dns/metadata/metadata'
import { isSerialOnly, stateAmong } from '#dns/outcome'

/** Whether a zone shows that the step was made: it shows no keys, and of serials not who moved them. */
export function isTelling(step: UnconfirmedStep): boolean {
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

/** The steps that the zone shows, of one that is made kind by kind what it shows of it. */
export async function stepsVisibleIn(
  session: WriteSession,
  zone: BackendZone,
  steps: UnconfirmedStep[]
): Promise<UnconfirmedStep[]> {
  if (await session.isGone?.(zone)) {
    return steps.filter(({ kind }) => kind === 'delete')
  }
  const made: UnconfirmedStep[] = []
  for (const step of steps) {
    if (step.kind === 'metadata') {
      made.push(...(await madeKinds(session, zone, step)))
    } else if (await isMade(session, zone, step)) {
      made.push(step)
    }
  }
  return made
}

async function isMade(
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

/** A step that writes metadata, as far as the zone has it: each kind is a call, and the process may have ended in between. */
async function madeKinds(
  session: WriteSession,
  zone: BackendZone,
  step: Extract<UnconfirmedStep, { kind: 'metadata' }>
): Promise<UnconfirmedStep[]> {
  const found = await session.metadataOf(zone)
  const hasNow = (kind: string, of: Metadata) => sameValues(found[kind] ?? [], of[kind] ?? [])
  const kinds = Object.keys(step.after)
  if (kinds.every((kind) => hasNow(kind, step.after))) {
    return [step]
  }
  const made = kinds.filter((kind) => hasNow(kind, step.after) && !hasNow(kind, step.before))
  const among = (of: Metadata) => Object.fromEntries(made.map((kind) => [kind, of[kind] ?? []]))
  return made.length > 0 ? [{ ...step, before: among(step.before), after: among(step.after) }] : []
}

/** Owner names that a step writes. */
export function namesIn(step: UnconfirmedStep): string[] {
  return step.kind === 'records' ? [...new Set(step.changes.map(({ name }) => name))] : []
}
