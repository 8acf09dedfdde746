import { InvalidDns } from '#dns/errors'
import { bareWord } from '#dns/rdata/character_strings'

const LABEL_LIMIT = 63
const NAME_LIMIT = 255

/**
 * Reads the data of one record as they are on the wire (RFC 1035, 3.3) from front to end. What it refuses
 * names the field that `reading` was told.
 */
export class WireReader {
  readonly #data: Buffer
  readonly #content: string
  readonly #allowed: string
  #at = 0
  #field = 'data'

  /**
   * @param about `content` is what people gave, for messages; `allowed` is read after "allowed is"
   */
  constructor(data: Uint8Array, about: { content: string; allowed: string }) {
    this.#data = Buffer.from(data)
    this.#content = about.content
    this.#allowed = about.allowed
  }

  /** Says which field is read from here on. */
  reading(field: string): this {
    this.#field = field
    return this
  }

  /** How many bytes are left. */
  get left(): number {
    return this.#data.length - this.#at
  }

  /**
   * The next bytes.
   *
   * @throws InvalidDns on 'content' when there are fewer, as all methods do
   */
  bytes(count: number): Buffer {
    if (count > this.left) throw this.refusal(`has data that end within the ${this.#field}`)
    this.#at += count
    return this.#data.subarray(this.#at - count, this.#at)
  }

  /** All bytes that are left, which are one at least. */
  rest(): Buffer {
    return this.bytes(Math.max(this.left, 1))
  }

  /** A number of 1 to 6 octets. */
  number(octets: number): number {
    return this.bytes(octets).readUIntBE(0, octets)
  }

  /** As many bytes as the number of one or two octets in front of them says. */
  sized(octets: 1 | 2 = 1): Buffer {
    return this.bytes(this.number(octets))
  }

  /** Character-strings to the end, one at least. */
  strings(): Buffer[] {
    const strings = [this.sized()]
    while (this.left > 0) strings.push(this.sized())
    return strings
  }

  /**
   * A domain name as contents have it: without final dot, "." for the root, and what is no plain character
   * as `\DDD`. Data outside of a message cannot have it compressed (RFC 3597, 4).
   */
  name(): string {
    const labels: string[] = []
    const start = this.#at
    for (let length = this.number(1); length > 0; length = this.number(1)) {
      if (length > LABEL_LIMIT) {
        const problem = `has a ${this.#field} that is compressed, or has a label of more than`
        throw this.refusal(`${problem} ${LABEL_LIMIT} bytes`)
      }
      labels.push(bareWord(this.bytes(length)))
      if (this.#at - start >= NAME_LIMIT) {
        throw this.refusal(`has a ${this.#field} of more than ${NAME_LIMIT} bytes`)
      }
    }
    return labels.length === 0 ? '.' : labels.join('.')
  }

  /** Throws unless everything was read. */
  end(): void {
    if (this.left === 0) return
    const bytes = this.left === 1 ? '1 byte' : `${this.left} bytes`
    throw this.refusal(`has data with ${bytes} too many, behind the ${this.#field}`)
  }

  /** The error of data that are none; `problem` is read after the content. */
  refusal(problem: string): InvalidDns {
    return new InvalidDns('content', this.#content, this.#allowed, { problem })
  }
}
