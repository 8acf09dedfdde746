import type { Infer } from '@vinejs/vine/types'
import type { KeyScope } from '#access/actor'
import type { KeyDraft } from '#accounts/keys/change'
import { parseExpiry, parsePattern } from '#accounts/keys/options'
import { cidr } from '#dns/addresses/networks'
import type { createApiKeyValidator, updateApiKeyValidator } from '#validators/accounts/api_key'
import type { RequestedZone } from '#zones/ownership/key_zones'

type Body = Infer<typeof createApiKeyValidator> | Infer<typeof updateApiKeyValidator>

/** A key without restrictions. */
export const UNRESTRICTED: KeyScope = {
  readOnly: false,
  operations: null,
  zones: null,
  patterns: null,
  networks: null,
  expiresAt: null,
  idleDays: null,
}

/** The zones of a body, by id or name; undefined without any. */
export function wantedZones({ zones }: Body): RequestedZone[] | undefined {
  return zones
}

/**
 * The key after a body; absent members stay. An empty list removes a restriction, unless
 * `zone_restricted` or `pattern_restricted` is true: such a key can access no zone. Throws 400 for
 * invalid values.
 *
 * @param zones those of the body, resolved; undefined without any
 */
export function draftFrom(
  body: Body,
  current: { name: string; scope: KeyScope },
  zones: ReadonlyMap<number, string> | undefined
): KeyDraft {
  const { scope } = current
  const { operations, networks } = body
  return {
    name: body.name ?? current.name,
    ...(body.enabled === undefined ? {} : { enabled: body.enabled }),
    scope: {
      readOnly: body.read_only ?? scope.readOnly,
      operations: operations ? orNull(operations, (items) => new Set(items)) : scope.operations,
      zones: zonesOf(body, scope, zones),
      patterns: patternsOf(body, scope),
      networks: networks
        ? orNull(networks, (items) => [
            ...new Set(items.map((text, index) => cidr(text, `networks.${index}`))),
          ])
        : scope.networks,
      expiresAt:
        body.expires_at === undefined ? scope.expiresAt : parseExpiry(body.expires_at ?? undefined),
      idleDays: body.idle_days === undefined ? scope.idleDays : body.idle_days,
    },
  }
}

function zonesOf(
  { zone_restricted: isRestricted }: Body,
  scope: KeyScope,
  zones: ReadonlyMap<number, string> | undefined
): ReadonlyMap<number, string> | null {
  const zoneNames = zones ?? scope.zones ?? new Map<number, string>()
  if (isRestricted !== undefined) {
    return isRestricted || zoneNames.size > 0 ? zoneNames : null
  }
  return zones ? orNull([...zones], () => zones) : scope.zones
}

function patternsOf(
  { patterns, pattern_restricted: isRestricted }: Body,
  scope: KeyScope
): KeyScope['patterns'] {
  const patternDrafts = patterns?.map(({ name, types = [] }, index) =>
    parsePattern({ name, types: types.length > 0 ? types : null }, index)
  )
  const current = patternDrafts ?? scope.patterns ?? []
  if (isRestricted !== undefined) {
    return isRestricted || current.length > 0 ? current : null
  }
  return patternDrafts ? orNull(patternDrafts, () => patternDrafts) : scope.patterns
}

/** null for an empty list, which is no restriction. */
function orNull<Item, Result>(items: Item[], convert: (items: Item[]) => Result): Result | null {
  return items.length > 0 ? convert(items) : null
}
