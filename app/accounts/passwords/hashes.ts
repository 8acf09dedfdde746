import { argon2, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { matchesBcrypt } from '#accounts/passwords/bcrypt'
import { parseHash, scryptBytes, formatArgon2, type StoredHash } from '#accounts/passwords/formats'

const argon2Bytes = promisify(argon2)
const scryptKey = promisify<
  string,
  Buffer,
  number,
  { N: number; r: number; p: number; maxmem: number },
  Buffer
>(scrypt)

/** Argon2id with the first parameters of OWASP's Password Storage Cheat Sheet. */
const PRODUCTION_COST = { variant: 'argon2id', memory: 19_456, passes: 2, parallelism: 1 } as const
/** Unsafe. For tests only, which create thousands of users. */
const TEST_COST = { ...PRODUCTION_COST, memory: 64, passes: 1 } as const

/** Returns the cost of new hashes for a `NODE_ENV`: low in tests, safe otherwise. */
export function costForEnvironment(environment: string | undefined) {
  return environment === 'test' ? TEST_COST : PRODUCTION_COST
}

/** Parameters of new hashes. Hashes with other parameters are outdated. */
export const CURRENT_COST = costForEnvironment(process.env.NODE_ENV)
const SALT_BYTES = 16
const HASH_BYTES = 32

/**
 * Hashes a password with the current parameters. Needs 19 MiB and some 20 ms of the thread pool:
 * callers use the hash service or `runInSlot`, which limit concurrency.
 */
export async function hashPassword(password: string, cost = CURRENT_COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await deriveArgon2({ ...cost, salt }, password, HASH_BYTES)
  return formatArgon2({ kind: 'argon2', ...cost, salt, hash })
}

/**
 * Returns whether the password matches the hash, in any format; false for an invalid hash. The time
 * depends on the parameters, not on the password. Concurrency must be limited as for `hashPassword`.
 */
export async function matchesHash(stored: string, password: string): Promise<boolean> {
  const parts = parseHash(stored)
  switch (parts?.kind) {
    case 'argon2':
      return timingSafeEqual(await deriveArgon2(parts, password, parts.hash.length), parts.hash)
    case 'scrypt':
      return timingSafeEqual(await deriveScrypt(parts, password), parts.hash)
    case 'bcrypt':
      return matchesBcrypt(parts.text, password)
    case undefined:
      return false
  }
}

/** Returns whether a hash has another format or other parameters. */
export function isOutdated(stored: string, cost = CURRENT_COST): boolean {
  const parts = parseHash(stored)
  return !(
    parts?.kind === 'argon2' &&
    parts.variant === cost.variant &&
    parts.memory === cost.memory &&
    parts.passes === cost.passes &&
    parts.parallelism === cost.parallelism
  )
}

type Argon2Parts = Omit<Extract<StoredHash, { kind: 'argon2' }>, 'kind' | 'hash'>

function deriveArgon2(parts: Argon2Parts, password: string, length: number): Promise<Buffer> {
  return argon2Bytes(parts.variant, {
    message: password,
    nonce: parts.salt,
    parallelism: parts.parallelism,
    memory: parts.memory,
    passes: parts.passes,
    tagLength: length,
  })
}

function deriveScrypt(parts: Extract<StoredHash, { kind: 'scrypt' }>, password: string) {
  const { cost, blockSize, parallelism, salt, hash } = parts
  return scryptKey(password, salt, hash.length, {
    N: cost,
    r: blockSize,
    p: parallelism,
    // Memory of scrypt, and a reserve for its blocks.
    maxmem: 2 * scryptBytes(cost, blockSize),
  })
}
