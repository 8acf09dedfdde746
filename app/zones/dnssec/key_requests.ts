import type { NewSigningKey, ZoneSigning } from '#backends/contract/backend'
import {
  parsePrivateKey,
  UnknownKeyAlgorithm,
  UnreadableKey,
  type PrivateKey,
} from '#dns/dnssec/private_key'
import { KEY_ROLES, type KeyRole } from '#dns/dnssec/key_roles'
import {
  algorithmName,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
} from '#dns/dnssec/signing_algorithms'
import { invalid } from '#exceptions/refusal'

/** Input for a new key, as the caller sends it. */
export interface AddKeyInput {
  type: string
  algorithm: string
  bits: number
  active?: boolean
}

/** Input for an imported key, as the caller sends it. */
export interface ImportKeyInput {
  type: string
  /** BIND private-key text. A secret. */
  privatekey: string
  active?: boolean
}

/** Returns the key to create. Throws a 400 `Refusal` that lists the allowed values. */
export async function addedKey(signing: ZoneSigning, input: AddKeyInput): Promise<NewSigningKey> {
  const role = roleNamed(input.type)
  const { name, bits } = await algorithmNamed(signing, input.algorithm)
  if (!bits.includes(input.bits)) {
    throw invalid(`Field 'bits': ${name} requires ${bits.join(' or ')} bits, found ${input.bits}`)
  }
  return { role, active: input.active ?? false, material: { algorithm: name, bits: input.bits } }
}

/**
 * Returns an active key that signs a zone alone. Throws a 400 `Refusal` that lists the allowed
 * values.
 */
export async function soleKey(signing: ZoneSigning, algorithm: string): Promise<NewSigningKey> {
  const { name, bits } = await algorithmNamed(signing, algorithm)
  return { role: 'csk', active: true, material: { algorithm: name, bits: Math.max(...bits) } }
}

async function algorithmNamed(signing: ZoneSigning, word: string): Promise<SigningAlgorithm> {
  const algorithms = await offeredBy(signing)
  const searchWord = word.trim().toLowerCase()
  const algorithm = algorithms.find(({ name }) => name === searchWord)
  if (!algorithm) {
    throw invalid(
      `Field 'algorithm' must be one of ${namesOf(algorithms)}, found ${quoteText(word)}`
    )
  }
  return algorithm
}

/**
 * Returns the key to import and its algorithm number. Throws a 400 `Refusal` without key material
 * in its message.
 */
export async function importedKey(
  signing: ZoneSigning,
  input: ImportKeyInput
): Promise<NewSigningKey & { algorithm: number }> {
  const role = roleNamed(input.type)
  const { algorithm, text } = readKey(input.privatekey)
  const algorithms = await offeredBy(signing)
  if (text === null || !algorithms.some(({ number }) => number === algorithm)) {
    throw invalid(
      `Field 'privatekey': keys of algorithm ${algorithmName(algorithm)} are not supported; allowed: ${namesOf(algorithms)}`
    )
  }
  return { role, active: input.active ?? false, algorithm, material: { privateKey: text } }
}

/** Returns null as text if the algorithm cannot sign zones. */
function readKey(text: string): PrivateKey | { algorithm: number; text: null } {
  try {
    return parsePrivateKey(text)
  } catch (error) {
    if (error instanceof UnknownKeyAlgorithm) {
      return { algorithm: error.algorithm, text: null }
    }
    if (error instanceof UnreadableKey) {
      throw invalid(`Field 'privatekey' must be BIND private-key text: ${error.message}`)
    }
    throw error
  }
}

function roleNamed(word: string): KeyRole {
  const searchWord = word.trim().toLowerCase()
  const role = KEY_ROLES.find((known) => known === searchWord)
  if (!role) {
    throw invalid(`Field 'type' must be one of ${KEY_ROLES.join(', ')}, found ${quoteText(word)}`)
  }
  return role
}

/** Returns the algorithms that the connected server can create keys for, by number. */
export async function offeredBy(signing: ZoneSigning): Promise<SigningAlgorithm[]> {
  const numbers = await signing.algorithms()
  return SIGNING_ALGORITHMS.filter(({ number }) => numbers.has(number))
}

function namesOf(algorithms: SigningAlgorithm[]): string {
  return algorithms.map(({ name }) => name).join(', ')
}

function quoteText(text: string): string {
  return JSON.stringify(text.slice(0, 40))
}
