import { operationsOf, type Role, type Variant } from '#tests/support/access/users'
import type { KeyOperation } from '#access/actor'
import type { Row } from '#tests/support/access/matrix_row'

const BY_METHOD: Record<string, KeyOperation> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
}

/**
 * Returns the status that the specification requires. Checks have this order: operations of the key, zones of the key,
 * existence of the object, permissions of the caller.
 */
export function expectedStatus(row: Row, role: Role, variant: Variant): number {
  const [method] = row.route.split(' ')
  const allowed = operationsOf(variant)
  const needed = row.operations ?? [BY_METHOD[method] ?? 'view']
  const atTheChannel = row.isDerived ? [] : needed.filter((operation) => !isView(row, operation))
  const lacks = (operations: KeyOperation[]) =>
    allowed !== null && operations.some((operation) => !allowed.includes(operation))
  if (lacks(atTheChannel)) {
    return 403
  }
  const isForZones = isForSomeZones(variant)
  if (isForZones && row.zones === 'refused') {
    return 403
  }
  const isOutside =
    row.zones === 'scoped' || (row.zones === 'owned' && !row.hiddenFrom?.includes(role))
  if (variant === 'another zone' && isOutside) {
    return 403
  }
  const isHidden =
    row.hiddenFrom?.includes(role) ||
    (row.zones === 'found' && variant === 'another zone') ||
    (row.zones === 'blind' && isForZones) ||
    (row.patterns === 'hidden' && isForPatterns(variant))
  const isRefused =
    !matches(row, role, variant) ||
    (row.who && !row.who.includes(role)) ||
    lacks([...needed, ...(row.also ?? [])])
  if (isHidden && !(row.isRoleFirst && isRefused)) {
    return 404
  }
  if (isRefused) {
    return 403
  }
  return row.allowed
}

/** Returns true if a dry run needs this operation too: its response shows the current records. */
function isView(row: Row, operation: KeyOperation): boolean {
  return operation === 'view' && !row.route.startsWith('GET')
}

/** Returns true if a key with these restrictions may make the request. */
function matches(row: Row, role: Role, variant: Variant): boolean {
  if (row.isUnrestrictedOnly && variant !== 'plain') {
    return false
  }
  if (row.refusedTo?.includes('some operations') && operationsOf(variant) !== null) {
    return false
  }
  if (row.refusedTo?.includes('some zones') && isForSomeZones(variant)) {
    return false
  }
  if (!isForPatterns(variant)) {
    return true
  }
  const isReading = row.route.startsWith('GET') && row.zones === 'scoped'
  const patterns = row.patterns ?? (isReading ? 'any' : 'refused')
  if (typeof patterns === 'object') {
    return patterns.anyFor === role
  }
  return patterns === 'any' || (patterns === 'matching' && variant === 'pattern')
}

function isForSomeZones(variant: Variant): boolean {
  return variant === 'this zone' || variant === 'another zone'
}

function isForPatterns(variant: Variant): boolean {
  return variant === 'pattern' || variant === 'another pattern'
}
