import { invalid } from '#exceptions/refusal'

/**
 * The value of a flag that takes a whole number. Throws a `Refusal` for any other and for one out of range,
 * both ends of which are allowed.
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
