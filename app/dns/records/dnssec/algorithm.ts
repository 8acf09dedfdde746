import { KEY_ALGORITHMS } from '#dns/dnssec/algorithms'
import { codeOf, type Field } from '#dns/records/fields'

/** The algorithm of a DNSSEC key, by number or mnemonic. */
export const algorithm: Field = codeOf('algorithm', KEY_ALGORITHMS, { max: 255 })
