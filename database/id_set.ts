/**
 * Ids of rows, in as little memory as they take: a bit for each id from the lowest to the highest, or where they lie far
 * apart, 8 bytes for each that is there.
 */
export class IdSet implements Iterable<number> {
  private constructor(
    /** How many there are. */
    readonly size: number,
    /** How much memory they take, in bytes. */
    readonly bytes: number,
    private readonly ids: Bits | Float64Array
  ) {}

  /** @param ids whole numbers from 0, in any order; those that come twice count once */
  static of(ids: readonly number[]): IdSet {
    const [first, last] = bordersOf(ids)
    const bytes = ids.length === 0 ? 0 : Math.floor((last - first) / 8) + 1
    if (bytes > 8 * ids.length) {
      const sorted = Float64Array.from(ids).sort()
      const single = sorted.filter((id, at) => at === 0 || id !== sorted[at - 1])
      return new IdSet(single.length, single.byteLength, single)
    }
    const bits = new Uint8Array(bytes)
    let size = 0
    for (const id of ids) {
      const at = id - first
      const bit = 1 << (at % 8)
      const byte = Math.floor(at / 8)
      if ((bits[byte] & bit) === 0) {
        bits[byte] |= bit
        size++
      }
    }
    return new IdSet(size, bytes, { first, bits })
  }

  has(id: number): boolean {
    const { ids } = this
    if (ids instanceof Float64Array) {
      return isAmong(ids, id)
    }
    const at = id - ids.first
    return at >= 0 && (ids.bits[Math.floor(at / 8)] & (1 << (at % 8))) !== 0
  }

  /** The ids, lowest first. */
  *[Symbol.iterator](): Iterator<number> {
    const { ids } = this
    if (ids instanceof Float64Array) {
      yield* ids
      return
    }
    for (const [byte, bits] of ids.bits.entries()) {
      for (let bit = 0; bits >> bit > 0; bit++) {
        if (bits & (1 << bit)) yield ids.first + byte * 8 + bit
      }
    }
  }
}

/** A bit for each id from the first on. */
interface Bits {
  first: number
  bits: Uint8Array
}

function bordersOf(ids: readonly number[]): [first: number, last: number] {
  let first = Infinity
  let last = -Infinity
  for (const id of ids) {
    if (id < first) first = id
    if (id > last) last = id
  }
  return [first, last]
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
