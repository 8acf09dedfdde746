import { DNSSEC_ALGORITHMS } from '#dns/dnssec_algorithms'
import { choiceOf } from '#dns/records/choice'
import type { Field } from '#dns/records/fields'

const NUMBERS = Array.from({ length: 16 }, (_, index) => index + 1)

/** The algorithm of a DNSSEC key, 1..16 or its mnemonic. */
export const algorithm: Field = choiceOf('algorithm', {
  numbers: NUMBERS,
  mnemonics: DNSSEC_ALGORITHMS,
})
