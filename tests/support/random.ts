import { randomInt } from 'node:crypto'

/**
 * Returns the seed of random tests: `ZW_SEED`, or a seed that all files of a run share, so that a second try repeats the
 * first. `scripts/test.mjs` sets it.
 */
export function seedOfRun(): number {
  return Number(process.env.ZW_SEED ?? process.env.ZW_RUN_SEED ?? randomInt(2 ** 31))
}

/** Repeatable random choices: one seed gives one sequence (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** A number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number in [0, limit). */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** A random item. */
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]
  }
}
