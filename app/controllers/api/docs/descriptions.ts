import { invalid } from '#exceptions/refusal'

/** The description, by either of its spellings. Throws a 400 for two that differ. */
export function descriptionOf(input: { descr?: string; description?: string }): string | undefined {
  const { descr, description } = input
  if (descr !== undefined && description !== undefined && descr !== description) {
    throw invalid(
      "Fields 'descr' and 'description' are the same member: give one, or the same text"
    )
  }
  return descr ?? description
}
