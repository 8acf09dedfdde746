import type { ZoneKind } from '#backends/contract/backend'
import { invalid } from '#exceptions/refusal'

/** Kinds that a zone can be given here; PRODUCER and CONSUMER are made with the name server's tools. */
export const CREATABLE_KINDS = ['MASTER', 'SLAVE', 'NATIVE'] as const satisfies ZoneKind[]

/** The kind that a word in any case names. Throws a 400 that lists the kinds. */
export function zoneKind(word: string): (typeof CREATABLE_KINDS)[number] {
  const kind = CREATABLE_KINDS.find((known) => known === word.toUpperCase())
  if (!kind) {
    throw invalid(
      `Invalid zone type "${word.slice(0, 100)}". Must be one of: ${CREATABLE_KINDS.join(', ')}`
    )
  }
  return kind
}
