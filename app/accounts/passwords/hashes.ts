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

/** Argon2id with the first parameters of OWASP's Password Storage Cheat Sheet. */
const SAFE = { variant: 'argon2id', memory: 19_456, passes: 2, parallelism: 1 } as const
/** Unsafe. For tests only, which create thousands of users. */
const OF_TESTS = { ...SAFE, memory: 64, passes: 1 } as const

/** Returns the cost of new hashes for a `NODE_ENV`: low in tests, safe otherwise. */
export function costIn(environment: string | undefined) {
  return environment === 'test' ? OF_TESTS : SAFE
}

/** Parameters of new hashes. Hashes with other parameters are outdated. */
export const CURRENT = costIn(process.env.NODE_ENV)
const SALT_BYTES = 16
const HASH_BYTES = 32

/**
 * Hashes a password with the current parameters. Needs 19 MiB and some 20 ms of the thread pool:
 * callers use the hash service or `inSlot`, which limit concurrency.
 */
export async function hashPassword(password: string, cost = CURRENT): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await argon2Of({ ...cost, salt }, password, HASH_BYTES)
  return writeArgon2({ kind: 'argon2', ...cost, salt, hash })
}

/**
 * Returns whether the password matches the hash, in any format; false for an invalid hash. The time
 * depends on the parameters, not on the password. Concurrency must be limited as for `hashPassword`.
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

/** Returns whether a hash has another format or other parameters. */
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
    // Memory of scrypt, and a reserve for its blocks.
    maxmem: 2 * scryptBytes(cost, blockSize),
  })
}
