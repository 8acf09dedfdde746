import { InvalidDns } from '#dns/errors'
import { bareWord } from '#dns/rdata/character_strings'

const LABEL_LIMIT = 63
const NAME_LIMIT = 255

/**
 * Reads the data of one record in wire format (RFC 1035, 3.3), from front to end. Errors name the field that was passed to
 * `reading`.
 */
export class WireReader {
  readonly #data: Buffer
  readonly #content: string
  readonly #allowedText: string
  #offset = 0
  #field = 'data'

  /** @param about `content` is the input, and `allowed` the allowed values, both for messages */
  constructor(data: Uint8Array, about: { content: string; allowed: string }) {
    this.#data = Buffer.from(data)
    this.#content = about.content
    this.#allowedText = about.allowed
  }

  /** Sets the name of the next field, for errors. */
  reading(field: string): this {
    this.#field = field
    return this
  }

  /** Number of unread bytes. */
  get remainingBytes(): number {
    return this.#data.length - this.#offset
  }

  /** Returns the next bytes. As all methods, throws InvalidDns on 'content' if too few are left. */
  bytes(count: number): Buffer {
    if (count > this.remainingBytes)
      throw this.refusal(`has data that ends within the ${this.#field}`)
    this.#offset += count
    return this.#data.subarray(this.#offset - count, this.#offset)
  }

  /** Returns all unread bytes; at least one is required. */
  readRemaining(): Buffer {
    return this.bytes(Math.max(this.remainingBytes, 1))
  }

  /** Returns a number of 1 to 6 octets. */
  number(octets: number): number {
    return this.bytes(octets).readUIntBE(0, octets)
  }

  /** Returns as many bytes as the length octets in front specify. */
  sized(octets: 1 | 2 = 1): Buffer {
    return this.bytes(this.number(octets))
  }

  /** Returns all character-strings up to the end; at least one is required. */
  strings(): Buffer[] {
    const strings = [this.sized()]
    while (this.remainingBytes > 0) strings.push(this.sized())
    return strings
  }

  /**
   * Returns a domain name in the form of contents: without final dot, "." for the root, special characters as `\DDD`. Data
   * outside of a message must not compress names (RFC 3597, 4).
   */
  name(): string {
    const labels: string[] = []
    const start = this.#offset
    for (let length = this.number(1); length > 0; length = this.number(1)) {
      if (length > LABEL_LIMIT) {
        const problem = `has a ${this.#field} that is compressed, or has a label of more than`
        throw this.refusal(`${problem} ${LABEL_LIMIT} bytes`)
      }
      labels.push(bareWord(this.bytes(length)))
      if (this.#offset - start >= NAME_LIMIT) {
        throw this.refusal(`has a ${this.#field} of more than ${NAME_LIMIT} bytes`)
      }
    }
    return labels.length === 0 ? '.' : labels.join('.')
  }

  /** Throws if bytes are left. */
  end(): void {
    if (this.remainingBytes === 0) return
    const bytes = this.remainingBytes === 1 ? '1 byte' : `${this.remainingBytes} bytes`
    throw this.refusal(`has ${bytes} too many after the ${this.#field}`)
  }

  /** Returns the error for invalid data; `problem` follows the content in the message. */
  refusal(problem: string): InvalidDns {
    return new InvalidDns('content', this.#content, this.#allowedText, { problem })
  }
}
