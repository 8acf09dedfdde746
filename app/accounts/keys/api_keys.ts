import db from '@adonisjs/lucid/services/db'
import { inTransaction } from '#database/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Actor, KeyOperation, KeyScope } from '#access/actor'
import { demand } from '#access/demand'
import type { KeyChange, KeyDraft, KeyPurpose } from '#accounts/keys/change'
import { keyEvents } from '#accounts/keys/events'
import { openKey } from '#accounts/keys/access'
import { checkKeyLimit } from '#accounts/keys/limit'
import type { KeyIdentity } from '#accounts/keys/identity'
import { parsePattern } from '#accounts/keys/options'
import { scopeColumns, type PatternItem } from '#accounts/keys/scope'
import { checkHostScope } from '#accounts/keys/host_tokens'
import { hashKey, keyPrefix, generateHostToken, generateKey } from '#accounts/keys/secret'
import { keyUses } from '#accounts/keys/last_used'
import type { AccountWriteOptions } from '#accounts/terms'
import { record } from '#audit/record'
import { cidr } from '#dns/addresses/networks'
import { conflict, invalid, notFound } from '#exceptions/refusal'
import ApiKey from '#models/api_key'
import User from '#models/user'
import { chunks } from '#database/statements/chunks'
import { holdRow } from '#database/rows/row_lock'
import { enqueueTexts } from '#database/trigram_index/pending'
import { KEY_TEXTS } from '#database/trigram_index/source'

const MAX_NAME_CHARACTERS = 255

/** Input for a new key. */
export interface NewApiKey {
  username: string
  name: string
  readOnly: boolean
  /** Empty allows all. */
  operations: KeyOperation[]
  /** Zones by id and name; empty for all zones of the owner. */
  zones: { id: number; name: string }[]
  /** ISO 8601; null for a key that never expires. */
  expiresAt: string | null
  /**
   * Owner names and types that the key may write; absent or empty for all that the owner may write.
   */
  patterns?: PatternItem[]
  /** Networks from which the key is accepted; absent or empty for all. */
  networks?: string[]
  /** Days without use after which the key expires; absent or null for no limit. */
  idleDays?: number | null
}

/**
 * Creates an API key for an active user. Only this answer contains the secret. Throws a `Refusal`
 * for invalid input, and a 403 if the actor may not create such a key.
 */
export async function createApiKey(
  input: NewApiKey,
  terms: AccountWriteOptions
): Promise<{ id: number; key: string }> {
  const owner = await User.findBy('username', input.username)
  if (!owner) {
    throw notFound(`There is no user named '${input.username}'`)
  }
  const { readOnly, operations, zones, expiresAt, patterns = [], networks = [] } = input
  const scope: KeyScope = {
    readOnly,
    operations: operations.length > 0 ? new Set(operations) : null,
    zones: zones.length > 0 ? new Map(zones.map(({ id, name }) => [id, name])) : null,
    patterns: patterns.length > 0 ? patterns.map(parsePattern) : null,
    networks: networks.length > 0 ? networks.map((network) => cidr(network)) : null,
    expiresAt,
    idleDays: input.idleDays ?? null,
  }
  return addKey(owner, { name: input.name, scope }, terms)
}

/** As `createApiKey`, for a canonical scope. */
export async function addKey(
  owner: User,
  { name, scope, enabled = true }: KeyDraft,
  terms: AccountWriteOptions,
  purpose: KeyPurpose = null
): Promise<{ id: number; key: string }> {
  const { actor } = terms
  const isHostToken = purpose === 'dyndns'
  demand(actor, { action: 'api_key.create', userId: owner.id, isHostToken })
  checkName(name)
  if (!owner.active) {
    throw conflict(
      `User '${owner.username}' is deactivated: an API key of this user would not work`
    )
  }
  checkExpiry(scope)
  demand(actor, { action: 'api_key.grant', scope })
  if (isHostToken) {
    checkHostScope(scope)
  }
  const key = generateSecretFor(purpose)
  return inTransaction(db.connection(), async (trx) => {
    await checkKeyLimit(trx, owner, purpose)
    const row = new ApiKey().useTransaction(trx).merge({
      name,
      userId: owner.id,
      purpose,
      ...secretColumns(key),
      enabled,
      ...scopeColumns(scope),
      createdAt: new Date().toISOString(),
    })
    await row.save()
    await enqueueTexts(trx, KEY_TEXTS, [row.id])
    await writeZones(trx, row.id, scope)
    await finishChange(trx, terms, {
      kind: 'created',
      id: row.id,
      owner: { id: owner.id, username: owner.username },
      before: null,
      after: { name, scope, enabled },
    })
    return { id: row.id, key }
  })
}

/**
 * Changes name, scope and state of a key. Calls `buildDraft` under the lock of the key. Throws a 404
 * `Refusal` for a missing or hidden key, and a 403 for a change that the actor may not make.
 */
export async function changeKey(
  id: number,
  buildDraft: (current: KeyIdentity) => KeyDraft,
  terms: AccountWriteOptions
): Promise<void> {
  await inTransaction(db.connection(), async (trx) => {
    const current = await lockKey(trx, terms.actor, id)
    const { name, scope, enabled = Boolean(current.row.enabled) } = buildDraft(current)
    checkName(name)
    if (scope.expiresAt !== current.scope.expiresAt) {
      checkExpiry(scope)
    }
    demand(terms.actor, { action: 'api_key.grant', scope })
    if (current.row.purpose === 'dyndns') {
      checkHostScope(scope)
    }
    const isReenabled = enabled && !current.row.enabled
    const restartsIdleTime = isReenabled || scope.idleDays !== current.scope.idleDays
    const row = await ApiKey.findOrFail(id, { client: trx })
    row.merge({
      name,
      enabled,
      ...scopeColumns(scope),
      ...(restartsIdleTime ? restartedIdleTime() : {}),
    })
    await row.save()
    if (name !== current.row.name) await enqueueTexts(trx, KEY_TEXTS, [id])
    await writeZones(trx, id, scope)
    await finishChange(trx, terms, keyChangeOf('changed', current, { name, scope, enabled }))
  })
}

/** Checks a key under its lock; throws if it must not be changed in this state. */
type KeyCheck = (current: KeyIdentity) => void

/**
 * Replaces the secret of a key under the same id; the old one is invalid at once. Throws as
 * `changeKey`.
 */
export async function regenerateKey(
  id: number,
  terms: AccountWriteOptions,
  check?: KeyCheck
): Promise<{ key: string }> {
  const key = await inTransaction(db.connection(), async (trx) => {
    const current = await lockKey(trx, terms.actor, id)
    check?.(current)
    const secret = generateSecretFor(current.row.purpose)
    const row = await ApiKey.findOrFail(id, { client: trx })
    row.merge({
      ...secretColumns(secret),
      lastUsedAt: null,
      lastUsedFrom: null,
      ...restartedIdleTime(),
    })
    await row.save()
    await enqueueTexts(trx, KEY_TEXTS, [id])
    await finishChange(trx, terms, keyChangeOf('regenerated', current, draftOf(current)))
    return secret
  })
  keyUses.forget(id)
  return { key }
}

/** Deletes a key. Throws as `changeKey`. */
export async function deleteKey(
  id: number,
  terms: AccountWriteOptions,
  check?: KeyCheck
): Promise<void> {
  await inTransaction(db.connection(), async (trx) => {
    const current = await lockKey(trx, terms.actor, id, 'api_key.delete')
    check?.(current)
    await trx.from('zw_api_keys').where('id', id).delete()
    await finishChange(trx, terms, keyChangeOf('deleted', current, null))
  })
  keyUses.forget(id)
}

/** Writes the audit events, then runs the last step of the terms. */
async function finishChange(
  trx: TransactionClientContract,
  { actor, finish }: AccountWriteOptions,
  change: KeyChange
): Promise<void> {
  await record(trx, actor, keyEvents(change))
  await finish(trx)
}

/** Returns the locked key, if the actor may edit it. */
async function lockKey(
  trx: TransactionClientContract,
  actor: Actor,
  id: number,
  action: 'api_key.edit' | 'api_key.delete' = 'api_key.edit'
): Promise<KeyIdentity> {
  await holdRow(trx, 'zw_api_keys', id)
  return openKey(actor, id, action, trx)
}

function keyChangeOf(
  kind: KeyChange['kind'],
  current: KeyIdentity,
  after: KeyChange['after']
): KeyChange {
  const { id, user_id: ownerId, username } = current.row
  return { kind, id, owner: { id: ownerId, username }, before: draftOf(current), after }
}

function draftOf({ row, scope }: KeyIdentity): Required<KeyDraft> {
  return { name: row.name, scope, enabled: Boolean(row.enabled) }
}

function generateSecretFor(purpose: string | null): string {
  return purpose === 'dyndns' ? generateHostToken() : generateKey()
}

function secretColumns(key: string) {
  return { secretHash: hashKey(key), prefix: keyPrefix(key) }
}

function restartedIdleTime() {
  return { idleFrom: new Date().toISOString() }
}

async function writeZones(
  trx: TransactionClientContract,
  keyId: number,
  { zones }: KeyScope
): Promise<void> {
  await trx.from('zw_api_key_zones').where('api_key_id', keyId).delete()
  const rows = [...(zones ?? [])].map(([id]) => ({ api_key_id: keyId, zone_id: id }))
  for (const part of chunks(rows)) {
    await trx.table('zw_api_key_zones').multiInsert(part)
  }
}

function checkName(name: string): void {
  if (name.trim() === '' || name.length > MAX_NAME_CHARACTERS || /\p{Cc}/u.test(name)) {
    throw invalid(
      `Field 'name': the name of a key must have 1 to ${MAX_NAME_CHARACTERS} characters of plain text, found ${JSON.stringify(name.slice(0, 100))}`
    )
  }
}

function checkExpiry({ expiresAt }: KeyScope): void {
  if (expiresAt !== null && expiresAt <= new Date().toISOString()) {
    throw invalid(`The key would expire at ${expiresAt}, which is in the past`)
  }
}
