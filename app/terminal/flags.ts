import { invalid } from '#exceptions/refusal'

/**
 * Parses a flag with a whole number. Throws a `Refusal` for any other value and outside the range, whose ends are included.
 */
export function wholeNumber(
  flag: string,
  value: number,
  { min, max }: { min: number; max: number }
): number {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw invalid(`--${flag} must be a whole number from ${min} to ${max}, found ${value}`)
  }
  return value
}
