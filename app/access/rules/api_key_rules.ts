import {
  hasPermission,
  isSuperUser,
  type Actor,
  type KeyOperation,
  type KeyScope,
} from '#access/actor'
import { allow, decide, type Decision } from '#access/decision'
import { decideKeyAdministration } from '#access/rules/key_rules'
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
      return decideManagement(actor, request.userId, request.isHostToken)
    case 'api_key.create':
      return firstRefusal(decideManagement(actor, request.userId, request.isHostToken), () =>
        decideKeyAdministration(actor)
      )
    case 'api_key.view':
      return isCallerKey(actor, request.key)
        ? allowOwnKey(actor)
        : decideViewOfOther(actor, request.key)
    case 'api_key.edit':
      return decideEdit(actor, request.key)
    case 'api_key.delete':
      return isCallerKey(actor, request.key) ? allowOwnKey(actor) : decideEdit(actor, request.key)
    case 'api_key.grant':
      return firstRefusal(decideKeyAdministration(actor), () => decideScope(actor, request.scope))
  }
}

function decideManagement(actor: Actor, userId: number | null, isHostToken = false): Decision {
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
  return hasPermission(actor, 'api_manage_keys')
    ? allow(grantsOf(actor, ['api_manage_keys']))
    : decide(
        false,
        'permission',
        'You do not have permission to manage API keys',
        'api_manage_keys'
      )
}

/** A key with patterns cannot view other keys. */
function decideViewOfOther(actor: Actor, key: ApiKeyFacts): Decision {
  return firstRefusal(decideManagement(actor, key.userId, key.isHostToken), () => {
    const keyDecision = decideKeyAdministration(actor)
    return { ...keyDecision, hidden: !keyDecision.allowed }
  })
}

function decideEdit(actor: Actor, key: ApiKeyFacts): Decision {
  return firstRefusal(decideManagement(actor, key.userId, key.isHostToken), () =>
    firstRefusal(decideKeyAdministration(actor), () =>
      isCallerKey(actor, key) ? allowOwnKey(actor) : decideScope(actor, key.scope)
    )
  )
}

function isCallerKey(actor: Actor, key: ApiKeyFacts): boolean {
  return actor.key?.id === key.id
}

function allowOwnKey(actor: Actor): Decision {
  return decide(true, 'key-itself', 'The API key itself', `API key ${actor.key?.id}`)
}

/** Refuses a scope that exceeds the caller's key. */
function decideScope(actor: Actor, scope: KeyScope): Decision {
  const { key } = actor
  const exceeded = key ? findExceededMembers(key, scope) : []
  return decide(
    exceeded.length === 0,
    'key-grant',
    exceeded.length === 0
      ? 'The key has no more access than the calling key'
      : `Forbidden: this API key can only create and edit keys with no more access than its own; wider: ${exceeded.join(', ')}`,
    key ? `API key ${key.id}` : 'no API key'
  )
}

/** Returns the members in which a scope exceeds the bound. */
function findExceededMembers(maxScope: KeyScope, scope: KeyScope): string[] {
  const { zones, networks, expiresAt, idleDays } = maxScope
  const isExceeded = {
    operations: [...allowedOperations(scope)].some((it) => !allowedOperations(maxScope).has(it)),
    zones:
      zones !== null &&
      (scope.zones === null || [...scope.zones].some(([id, name]) => zones.get(id) !== name)),
    patterns: maxScope.patterns !== null,
    networks:
      networks !== null &&
      (scope.networks === null || !areNetworksCovered(networks, scope.networks)),
    expires_at: expiresAt !== null && (scope.expiresAt === null || scope.expiresAt > expiresAt),
    idle_days: idleDays !== null && (scope.idleDays === null || scope.idleDays > idleDays),
  }
  return Object.entries(isExceeded).flatMap(([member, isMemberExceeded]) =>
    isMemberExceeded ? [member] : []
  )
}

/** Returns whether every inner network is within an outer one. All are canonical. */
function areNetworksCovered(outer: readonly string[], inner: readonly string[]): boolean {
  const outerNetworks = parseNetworks(outer)
  return inner.every((text) => {
    const innerNetwork = parseNetwork(text)
    return (
      innerNetwork !== undefined &&
      outerNetworks.some((network) => networkCovers(network, innerNetwork))
    )
  })
}

function allowedOperations({ readOnly, operations }: KeyScope): Set<KeyOperation> {
  const scopeOperations =
    operations ?? new Set<KeyOperation>(['view', 'create', 'update', 'delete'])
  return new Set([...scopeOperations].filter((operation) => !readOnly || operation === 'view'))
}

/** Returns the first decision if it refuses, otherwise the next. */
function firstRefusal(decision: Decision, next: () => Decision): Decision {
  return decision.allowed ? next() : decision
}
