import { holds, isSuperUser, type Actor, type KeyOperation, type KeyScope } from '#access/actor'
import { allow, decide, type Decision } from '#access/decision'
import { keyAdministers } from '#access/rules/key_rules'
import { grantsOf } from '#access/grants'
import { networkCovers, parseNetwork, parseNetworks } from '#dns/addresses/networks'

/** Facts about an API key that decisions depend on. */
export interface ApiKeyFacts {
  id: number
  /** Id of the owner. */
  userId: number
  scope: KeyScope
  /** Whether the key is a host token. */
  isHostToken?: boolean
}

/** Requests about API keys as objects. */
export type ApiKeyRequest =
  /** Keys of a user, or host tokens; null for all users. */
  | { action: 'api_key.list'; userId: number | null; isHostToken?: boolean }
  | { action: 'api_key.create'; userId: number; isHostToken?: boolean }
  /** `api_key.edit` covers editing, regenerating, enabling and disabling. */
  | { action: 'api_key.view' | 'api_key.edit' | 'api_key.delete'; key: ApiKeyFacts }
  /** Whether the actor may create or change a key with this scope. */
  | { action: 'api_key.grant'; scope: KeyScope }

/**
 * Decides about API keys. Users with `api_manage_keys` manage their keys, administrators all keys;
 * keys of others are hidden. A caller with a key changes only keys within its scope; a key can view
 * and delete itself. Host tokens need no permission; their updates need the rights of their user.
 */
export function actOnApiKeys(actor: Actor, request: ApiKeyRequest): Decision {
  switch (request.action) {
    case 'api_key.list':
      return manage(actor, request.userId, request.isHostToken)
    case 'api_key.create':
      return firstRefusal(manage(actor, request.userId, request.isHostToken), () =>
        keyAdministers(actor)
      )
    case 'api_key.view':
      return isItself(actor, request.key) ? itself(actor) : viewOther(actor, request.key)
    case 'api_key.edit':
      return edit(actor, request.key)
    case 'api_key.delete':
      return isItself(actor, request.key) ? itself(actor) : edit(actor, request.key)
    case 'api_key.grant':
      return firstRefusal(keyAdministers(actor), () => within(actor, request.scope))
  }
}

function manage(actor: Actor, userId: number | null, isHostToken = false): Decision {
  if (isSuperUser(actor)) {
    return allow(grantsOf(actor, ['user_is_ueberuser']))
  }
  if (userId === null || userId !== actor.userId) {
    const message = 'Only administrators can manage the API keys of other users'
    return { ...decide(false, 'permission', message, 'user_is_ueberuser'), hidden: true }
  }
  if (isHostToken) {
    return decide(true, 'permission', 'The caller owns the host token', 'own account')
  }
  return holds(actor, 'api_manage_keys')
    ? allow(grantsOf(actor, ['api_manage_keys']))
    : decide(
        false,
        'permission',
        'You do not have permission to manage API keys',
        'api_manage_keys'
      )
}

/** A key with patterns cannot view other keys. */
function viewOther(actor: Actor, key: ApiKeyFacts): Decision {
  return firstRefusal(manage(actor, key.userId, key.isHostToken), () => {
    const reach = keyAdministers(actor)
    return { ...reach, hidden: !reach.allowed }
  })
}

function edit(actor: Actor, key: ApiKeyFacts): Decision {
  return firstRefusal(manage(actor, key.userId, key.isHostToken), () =>
    firstRefusal(keyAdministers(actor), () =>
      isItself(actor, key) ? itself(actor) : within(actor, key.scope)
    )
  )
}

function isItself(actor: Actor, key: ApiKeyFacts): boolean {
  return actor.key?.id === key.id
}

function itself(actor: Actor): Decision {
  return decide(true, 'key-itself', 'The API key itself', `API key ${actor.key?.id}`)
}

/** Refuses a scope that exceeds the caller's key. */
function within(actor: Actor, scope: KeyScope): Decision {
  const { key } = actor
  const wider = key ? widerThan(key, scope) : []
  return decide(
    wider.length === 0,
    'key-grant',
    wider.length === 0
      ? 'The key has no more access than the calling key'
      : `Forbidden: this API key can only create and edit keys with no more access than its own; wider: ${wider.join(', ')}`,
    key ? `API key ${key.id}` : 'no API key'
  )
}

/** Returns the members in which a scope exceeds the bound. */
function widerThan(bound: KeyScope, scope: KeyScope): string[] {
  const { zones, networks, expiresAt, idleDays } = bound
  const wider = {
    operations: [...operationsOf(scope)].some((it) => !operationsOf(bound).has(it)),
    zones:
      zones !== null &&
      (scope.zones === null || [...scope.zones].some(([id, name]) => zones.get(id) !== name)),
    patterns: bound.patterns !== null,
    networks:
      networks !== null && (scope.networks === null || !areCovered(networks, scope.networks)),
    expires_at: expiresAt !== null && (scope.expiresAt === null || scope.expiresAt > expiresAt),
    idle_days: idleDays !== null && (scope.idleDays === null || scope.idleDays > idleDays),
  }
  return Object.entries(wider).flatMap(([member, isWider]) => (isWider ? [member] : []))
}

/** Returns whether every inner network is within an outer one. All are canonical. */
function areCovered(outer: readonly string[], inner: readonly string[]): boolean {
  const wide = parseNetworks(outer)
  return inner.every((text) => {
    const narrow = parseNetwork(text)
    return narrow !== undefined && wide.some((network) => networkCovers(network, narrow))
  })
}

function operationsOf({ readOnly, operations }: KeyScope): Set<KeyOperation> {
  const listed = operations ?? new Set<KeyOperation>(['view', 'create', 'update', 'delete'])
  return new Set([...listed].filter((operation) => !readOnly || operation === 'view'))
}

/** Returns the first decision if it refuses, otherwise the next. */
function firstRefusal(decision: Decision, next: () => Decision): Decision {
  return decision.allowed ? next() : decision
}
