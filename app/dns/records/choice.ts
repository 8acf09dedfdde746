import { refusal, wordField, type Field } from '#dns/records/fields'
import { numberFromWire, type Octets } from '#dns/records/from_wire'

/** Allowed numbers of a field, some with a mnemonic. */
export interface Choice {
  numbers: readonly number[]
  /** Numbers by mnemonic in upper case. */
  mnemonics?: Readonly<Record<string, number>>
  /** Reason why other numbers are invalid, for the message. */
  why?: string
  /** Size on the wire; 1 by default. */
  octets?: Octets
}

/** A field with a few allowed numbers, by number or mnemonic in any case. The canonical form is the number. */
export function choiceOf(
  name: string,
  { numbers, mnemonics = {}, why, octets = 1 }: Choice
): Field {
  const words = new Map(Object.entries(mnemonics))
  const allowed = printNumbers(numbers)
  const more = words.size > 0 ? ` (or ${[...words.keys()].join(', ')})` : ''
  const reasonText = why === undefined ? '' : `: ${why}`
  const read = (word: string, content: string) => {
    const number =
      words.get(word.toUpperCase()) ?? (/^\d{1,10}$/.test(word) ? Number(word) : Number.NaN)
    if (!numbers.includes(number)) throw refusal(content, name, allowed + more + reasonText)
    return String(number)
  }
  return wordField(name, read, numberFromWire(octets))
}

/**
 * Validates the length of a hexadecimal digest. No check if `bytes` is undefined.
 *
 * @throws InvalidDns on 'content'
 */
export function checkDigest(
  digest: string,
  bytes: number | undefined,
  about: { content: string; kind: string; name?: string }
): void {
  if (bytes === undefined || digest.length === 2 * bytes) return
  const allowed = `${2 * bytes} hexadecimal digits for ${about.kind}, not ${digest.length}`
  throw refusal(about.content, about.name ?? 'digest', allowed)
}

function printNumbers(numbers: readonly number[]): string {
  const [first] = numbers
  const last = numbers[numbers.length - 1]
  if (numbers.length === 1) return String(first)
  const row = last - first === numbers.length - 1
  return row ? `${first} to ${last}` : `one of ${numbers.join(', ')}`
}
