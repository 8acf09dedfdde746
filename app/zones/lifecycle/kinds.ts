import type { ZoneKind } from '#backends/contract/backend'
import { invalid } from '#exceptions/refusal'

/** Kinds that can be created. PRODUCER and CONSUMER need the tools of the name server. */
export const CREATABLE_KINDS = ['MASTER', 'SLAVE', 'NATIVE'] as const satisfies ZoneKind[]

/** Parses a kind, case-insensitively. Throws a 400 `Refusal` that lists the kinds. */
export function zoneKind(word: string): (typeof CREATABLE_KINDS)[number] {
  const kind = CREATABLE_KINDS.find((known) => known === word.toUpperCase())
  if (!kind) {
    throw invalid(
      `Invalid zone type "${word.slice(0, 100)}". Must be one of: ${CREATABLE_KINDS.join(', ')}`
    )
  }
  return kind
}
