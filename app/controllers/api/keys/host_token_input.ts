import { findActorOfUser } from '#accounts/authenticate'
import { findKeyOwner } from '#accounts/keys/access'
import { addKey } from '#accounts/keys/api_keys'
import { hostTokenScope } from '#accounts/keys/host_tokens'
import type { AccountWriteOptions } from '#accounts/terms'
import { cidr } from '#dns/addresses/networks'
import { notFound } from '#exceptions/refusal'
import type { HostsOfTokens } from '#zones/dynamic_dns/token_hosts'

/** A requested host token, not validated. */
export interface HostTokenInput {
  names: string[]
  /** The owner; null is the caller. */
  userId: number | null
  withTxt: boolean
  /** Default: the host names. */
  name?: string
  networks: string[]
  /** ISO 8601; null never expires. */
  expiresAt: string | null
}

/** A created token with its secret, which is not stored. */
export interface CreatedHostToken {
  id: number
  key: string
  hosts: string[]
}

/** Creates the token of some hosts. Throws as `HostsOfTokens.resolve`, `findKeyOwner` and `addKey`. */
export async function createHostToken(
  hostsOfTokens: HostsOfTokens,
  input: HostTokenInput,
  terms: AccountWriteOptions
): Promise<CreatedHostToken> {
  const { actor } = terms
  const { hosts, zones } = await hostsOfTokens.resolve([actor], input.names)
  const owner = await findKeyOwner(actor, input.userId, 'api_key.create', true)
  const user = await findActorOfUser(owner.id, actor.channel)
  if (!user) {
    throw notFound('User not found')
  }
  await hostsOfTokens.resolve([user.actor], input.names)
  const networks = input.networks.map((text, index) => cidr(text, `networks.${index}`))
  const scope = hostTokenScope({
    hosts,
    withTxt: input.withTxt,
    // A key that is restricted to zones creates tokens for these zones only.
    zones: actor.key?.zones ? zones : null,
    networks: networks.length > 0 ? networks : (actor.key?.networks?.slice() ?? null),
    expiresAt: input.expiresAt,
  })
  const name = input.name ?? hosts.join(', ').slice(0, 200)
  const { id, key } = await addKey(owner, { name, scope }, terms, 'dyndns')
  return { id, key, hosts }
}
