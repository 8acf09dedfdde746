/**
 * A set of row ids in little memory: a bit for each number from the lowest to the highest id, or 8 bytes for each id if that is
 * less.
 */
export class IdSet implements Iterable<number> {
  private constructor(
    /** Number of ids. */
    readonly size: number,
    /** Memory in bytes. */
    readonly bytes: number,
    private readonly ids: IdBits | Float64Array
  ) {}

  /** @param parts whole numbers from 0, in any order; duplicates count once */
  static union(...parts: readonly Numbers[]): IdSet {
    const length = parts.reduce((sum, part) => sum + part.length, 0)
    const [first, last] = bordersOf(parts)
    const bytes = length === 0 ? 0 : Math.floor((last - first) / 8) + 1
    if (bytes > 8 * length) {
      const sorted = joined(parts, length).sort()
      const unique = sorted.filter((id, index) => index === 0 || id !== sorted[index - 1])
      return new IdSet(unique.length, unique.byteLength, unique)
    }
    const bits = new Uint8Array(bytes)
    let size = 0
    for (const part of parts) {
      for (const element of part) {
        const index = element - first
        const bit = 1 << (index % 8)
        const byte = Math.floor(index / 8)
        if ((bits[byte] & bit) === 0) {
          bits[byte] |= bit
          size++
        }
      }
    }
    return new IdSet(size, bytes, { first, bits })
  }

  has(id: number): boolean {
    const { ids } = this
    if (ids instanceof Float64Array) {
      return isAmong(ids, id)
    }
    const index = id - ids.first
    return index >= 0 && (ids.bits[Math.floor(index / 8)] & (1 << (index % 8))) !== 0
  }

  /** The ids, lowest first. */
  numbers(): Float64Array {
    const { ids, size } = this
    if (ids instanceof Float64Array) {
      return ids
    }
    const numbers = new Float64Array(size)
    let index = 0
    for (let byte = 0; byte < ids.bits.length; byte++) {
      const bits = ids.bits[byte]
      for (let bit = 0; bits >> bit > 0; bit++) {
        if (bits & (1 << bit)) numbers[index++] = ids.first + byte * 8 + bit
      }
    }
    return numbers
  }

  [Symbol.iterator](): Iterator<number> {
    return this.numbers()[Symbol.iterator]()
  }
}

/** An array of numbers. */
type Numbers = readonly number[] | Float64Array

/** A bit for each id from the first on. */
interface IdBits {
  first: number
  bits: Uint8Array
}

function bordersOf(parts: readonly Numbers[]): [first: number, last: number] {
  let first = Infinity
  let last = -Infinity
  for (const part of parts) {
    for (const id of part) {
      if (id < first) first = id
      if (id > last) last = id
    }
  }
  return [first, last]
}

function joined(parts: readonly Numbers[], length: number): Float64Array {
  const all = new Float64Array(length)
  let index = 0
  for (const part of parts) {
    all.set(part, index)
    index += part.length
  }
  return all
}

function isAmong(sorted: Float64Array, id: number): boolean {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle] < id) low = middle + 1
    else high = middle
  }
  return sorted[low] === id
}
