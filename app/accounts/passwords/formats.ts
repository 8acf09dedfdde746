/** Variants of Argon2 (RFC 9106). */
export type Argon2Variant = 'argon2i' | 'argon2d' | 'argon2id'

/** Parsed parameters of a stored hash. Memory is in KiB. */
export type StoredHash =
  | {
      kind: 'argon2'
      variant: Argon2Variant
      memory: number
      passes: number
      parallelism: number
      salt: Buffer
      hash: Buffer
    }
  | {
      kind: 'scrypt'
      cost: number
      blockSize: number
      parallelism: number
      salt: Buffer
      hash: Buffer
    }
  | { kind: 'bcrypt'; cost: number; text: string }

const BASE64 = '[A-Za-z0-9+/]+'
const ARGON2 = new RegExp(
  `^\\$(argon2(?:i|d|id))\\$v=19\\$m=(\\d{1,7}),t=(\\d{1,3}),p=(\\d{1,2})\\$(${BASE64})\\$(${BASE64})$`
)
const SCRYPT = new RegExp(
  `^\\$scrypt\\$n=(\\d{1,7}),r=(\\d{1,3}),p=(\\d{1,2})\\$(${BASE64})\\$(${BASE64})$`
)
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/**
 * Maximum cost of a stored hash. Imported hashes with extreme parameters would exhaust CPU or
 * memory at each sign-in.
 */
const MAX_COST = {
  memoryKib: 262_144,
  argon2Passes: 32,
  parallelism: 16,
  scryptBytes: 268_435_456,
  bcryptCost: 16,
}
const MIN_SALT_BYTES = 8
const MIN_HASH_BYTES = 16
const MAX_HASH_BYTES = 128

/**
 * Parses a hash: Argon2 (version 19) and scrypt in the PHC string format, bcrypt (`$2a$`, `$2b$`,
 * `$2y$`). null for other texts, and above the maximum cost: no password matches them.
 */
export function parseHash(text: string): StoredHash | null {
  return parseArgon2(text) ?? parseScrypt(text) ?? parseBcrypt(text)
}

/** Returns the PHC string of an Argon2 hash. */
export function formatArgon2(parts: Extract<StoredHash, { kind: 'argon2' }>): string {
  const { variant, memory, passes, parallelism, salt, hash } = parts
  return `$${variant}$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`
}

function parseArgon2(text: string): StoredHash | null {
  const [, variant, m, t, p, saltText, hashText] = ARGON2.exec(text) ?? []
  if (variant === undefined) {
    return null
  }
  const [memory, passes, parallelism] = [Number(m), Number(t), Number(p)]
  const salt = Buffer.from(saltText, 'base64')
  const hash = Buffer.from(hashText, 'base64')
  const isValid = memory >= 8 * parallelism && passes >= 1 && parallelism >= 1
  const isWithinLimits =
    memory <= MAX_COST.memoryKib &&
    passes <= MAX_COST.argon2Passes &&
    parallelism <= MAX_COST.parallelism
  if (!isValid || !isWithinLimits || !hasValidLengths(salt, hash)) {
    return null
  }
  return {
    kind: 'argon2',
    variant: variant as Argon2Variant,
    memory,
    passes,
    parallelism,
    salt,
    hash,
  }
}

function parseScrypt(text: string): StoredHash | null {
  const [, n, r, p, saltText, hashText] = SCRYPT.exec(text) ?? []
  if (n === undefined) {
    return null
  }
  const [cost, blockSize, parallelism] = [Number(n), Number(r), Number(p)]
  const salt = Buffer.from(saltText, 'base64')
  const hash = Buffer.from(hashText, 'base64')
  // RFC 7914, section 6: N is a power of two above 1.
  const isValid = cost > 1 && Number.isInteger(Math.log2(cost)) && blockSize >= 1
  const isWithinLimits =
    scryptBytes(cost, blockSize) <= MAX_COST.scryptBytes && parallelism <= MAX_COST.parallelism
  if (!isValid || !isWithinLimits || parallelism < 1 || !hasValidLengths(salt, hash)) {
    return null
  }
  return { kind: 'scrypt', cost, blockSize, parallelism, salt, hash }
}

/** Returns the memory that scrypt needs, in bytes. */
export function scryptBytes(cost: number, blockSize: number): number {
  return 128 * cost * blockSize
}

function parseBcrypt(text: string): StoredHash | null {
  const cost = Number(BCRYPT.exec(text)?.[1] ?? Number.NaN)
  return cost >= 4 && cost <= MAX_COST.bcryptCost ? { kind: 'bcrypt', cost, text } : null
}

function hasValidLengths(salt: Buffer, hash: Buffer): boolean {
  return (
    salt.length >= MIN_SALT_BYTES && hash.length >= MIN_HASH_BYTES && hash.length <= MAX_HASH_BYTES
  )
}

/** PHC strings have no padding. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
