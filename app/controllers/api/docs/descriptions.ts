import { invalid } from '#exceptions/refusal'

/** The description from either member name. Throws 400 if both are set and differ. */
export function descriptionOf(input: { descr?: string; description?: string }): string | undefined {
  const { descr, description } = input
  if (descr !== undefined && description !== undefined && descr !== description) {
    throw invalid(
      "Fields 'descr' and 'description' are the same member: send only one, or the same text in both"
    )
  }
  return descr ?? description
}
