import type { Origin } from '#changes/model/intent'

/** What journal entries say of changes that come from a template. */
export function originOf(templateId: number): Origin {
  return { kind: 'template', id: String(templateId) }
}
