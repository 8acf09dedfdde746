import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { readFirstRunState } from '#accounts/first_run/state'
import {
  isFirstRunToken,
  redeemFirstRunTokens,
  restoreFirstRunToken,
} from '#accounts/first_run/tokens'
import { checkPassword } from '#accounts/passwords/policy'
import { countFailure, readFailureCount } from '#accounts/sign_in/failures'
import { checkUsername } from '#accounts/users/fields'
import { createUser } from '#accounts/users/named_users'
import { record } from '#audit/record'
import { clientNetwork } from '#dns/addresses/networks'
import { conflict, Refusal } from '#exceptions/refusal'

const TEMPLATE_NAME = 'Administrator'
const MAX_ATTEMPTS = 10
const ATTEMPT_MINUTES = 15

/** Input for the first administrator, with the token that the server printed. */
export interface FirstAdministrator {
  token: string
  username: string
  password: string
  address: string
}

/** An invalid or expired token. */
export class InvalidToken extends Refusal {
  constructor() {
    super(403, 'The token is not the one that the server printed, or it has expired')
  }
}

/**
 * Creates the first administrator with a token of the server. Throws `InvalidToken`, a 429 after too
 * many wrong tokens from one network, a 409 if an administrator exists, and the errors of
 * `createUser`, after which the token stays valid.
 */
export async function createFirstAdministrator(input: FirstAdministrator): Promise<{ id: number }> {
  const { token, username, password, address } = input
  await checkToken(token, address)
  checkUsername(username)
  checkPassword(password, { username })
  if ((await readFirstRunState()) === 'begun' || !(await redeemFirstRunTokens())) {
    throw conflict('An administrator already exists: sign in')
  }
  const actor = createSetupActor(address)
  try {
    const user = {
      username,
      password,
      email: null,
      active: true,
      template: TEMPLATE_NAME,
      groups: [],
    }
    const { id } = await createUser(user, actor)
    const object = { kind: 'user' as const, id, name: username }
    await record(db.connection(), actor, {
      action: 'setup',
      object,
      detail: { first_administrator: username },
    })
    return { id }
  } catch (error) {
    if ((await readFirstRunState()) !== 'begun') await restoreFirstRunToken(token)
    throw error
  }
}

async function checkToken(token: string, address: string): Promise<void> {
  const counter = { username: '(first run)', network: clientNetwork(address) }
  if ((await readFailureCount(counter)) >= MAX_ATTEMPTS) {
    const refusal = new Refusal(429, 'Too many wrong tokens from this address: try again later')
    refusal.headers = { 'Retry-After': String(ATTEMPT_MINUTES * 60) }
    throw refusal
  }
  if (!(await isFirstRunToken(token.trim()))) {
    await countFailure(counter, ATTEMPT_MINUTES)
    throw new InvalidToken()
  }
}

/** No user exists yet; the holder of the token controls the server. */
function createSetupActor(address: string): Actor {
  return {
    userId: null,
    username: 'setup',
    permissions: new Set(['user_is_ueberuser'] as const),
    groups: [],
    key: null,
    address,
    channel: 'web',
  }
}
