import { argon2, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { fitsBcrypt } from '#accounts/passwords/bcrypt'
import { readHash, scryptBytes, writeArgon2, type StoredHash } from '#accounts/passwords/formats'

const argon2Bytes = promisify(argon2)
const scryptKey = promisify<
  string,
  Buffer,
  number,
  { N: number; r: number; p: number; maxmem: number },
  Buffer
>(scrypt)

/** Argon2id with the parameters that OWASP's Password Storage Cheat Sheet names first. */
const SAFE = { variant: 'argon2id', memory: 19_456, passes: 2, parallelism: 1 } as const
/** Safe for nothing. Tests make thousands of users, whose passwords protect nothing. */
const OF_TESTS = { ...SAFE, memory: 64, passes: 1 } as const

/** What new hashes cost in an environment (`NODE_ENV`): little in tests, and everywhere else what is safe. */
export function costIn(environment: string | undefined) {
  return environment === 'test' ? OF_TESTS : SAFE
}

/** The form of new hashes. One that was made in another environment is outdated. */
export const CURRENT = costIn(process.env.NODE_ENV)
const SALT_BYTES = 16
const HASH_BYTES = 32

/**
 * A hash of the password in the current form. Takes 19 MiB and some fiftieths of a second of the thread
 * pool: callers go through the hash service or `inSlot`, which bound how many there are at once.
 */
export async function makeHash(password: string, cost = CURRENT): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await argon2Of({ ...cost, salt }, password, HASH_BYTES)
  return writeArgon2({ kind: 'argon2', ...cost, salt, hash })
}

/**
 * Whether the password fits the stored hash, whatever form that has; false for what is no hash. The time
 * depends on the form and its parameters, not on the password. To be bounded like `makeHash`.
 */
export async function fitsHash(stored: string, password: string): Promise<boolean> {
  const parts = readHash(stored)
  switch (parts?.kind) {
    case 'argon2':
      return timingSafeEqual(await argon2Of(parts, password, parts.hash.length), parts.hash)
    case 'scrypt':
      return timingSafeEqual(await scryptOf(parts, password), parts.hash)
    case 'bcrypt':
      return fitsBcrypt(parts.text, password)
    case undefined:
      return false
  }
}

/** Whether a hash is not of the current form with the current parameters. */
export function isOutdated(stored: string, cost = CURRENT): boolean {
  const parts = readHash(stored)
  return !(
    parts?.kind === 'argon2' &&
    parts.variant === cost.variant &&
    parts.memory === cost.memory &&
    parts.passes === cost.passes &&
    parts.parallelism === cost.parallelism
  )
}

type Argon2Parts = Omit<Extract<StoredHash, { kind: 'argon2' }>, 'kind' | 'hash'>

function argon2Of(parts: Argon2Parts, password: string, length: number): Promise<Buffer> {
  return argon2Bytes(parts.variant, {
    message: password,
    nonce: parts.salt,
    parallelism: parts.parallelism,
    memory: parts.memory,
    passes: parts.passes,
    tagLength: length,
  })
}

function scryptOf(parts: Extract<StoredHash, { kind: 'scrypt' }>, password: string) {
  const { cost, blockSize, parallelism, salt, hash } = parts
  return scryptKey(password, salt, hash.length, {
    N: cost,
    r: blockSize,
    p: parallelism,
    // What it takes, and something for the blocks beside.
    maxmem: 2 * scryptBytes(cost, blockSize),
  })
}
