import type { Origin } from '#changes/model/intent'

/** Origin of a template change in journal entries. */
export function originOf(templateId: number): Origin {
  return { kind: 'template', id: String(templateId) }
}
