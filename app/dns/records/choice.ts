import { refusal, wordField, type Field } from '#dns/records/fields'
import { numberFromWire, type Octets } from '#dns/records/from_wire'

/** Some numbers, each of which may also be given by a mnemonic. */
export interface Choice {
  numbers: readonly number[]
  /** Mnemonic in upper case, to its number. */
  mnemonics?: Readonly<Record<string, number>>
  /** Why there are no others, where that is not plain. */
  why?: string
  /** How many it takes on the wire; 1 by default. */
  octets?: Octets
}

/** A field that is one of a few numbers, by number or mnemonic (any case); canonical is the number. */
export function choiceOf(
  name: string,
  { numbers, mnemonics = {}, why, octets = 1 }: Choice
): Field {
  const words = new Map(Object.entries(mnemonics))
  const allowed = printNumbers(numbers)
  const more = words.size > 0 ? ` (or ${[...words.keys()].join(', ')})` : ''
  const because = why === undefined ? '' : `: ${why}`
  const read = (word: string, content: string) => {
    const number =
      words.get(word.toUpperCase()) ?? (/^\d{1,10}$/.test(word) ? Number(word) : Number.NaN)
    if (!numbers.includes(number)) throw refusal(content, name, allowed + more + because)
    return String(number)
  }
  return wordField(name, read, numberFromWire(octets))
}

/** Throws unless hex data has the length its kind demands; `bytes` is undefined where there is none. */
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
