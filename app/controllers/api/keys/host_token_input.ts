import { actorOfUser } from '#accounts/authenticate'
import { keyOwner } from '#accounts/keys/access'
import { addKey } from '#accounts/keys/api_keys'
import { hostTokenScope } from '#accounts/keys/host_tokens'
import type { AccountTerms } from '#accounts/terms'
import { cidr } from '#dns/addresses/networks'
import { notFound } from '#exceptions/refusal'
import type { HostsOfTokens } from '#zones/dynamic_dns/token_hosts'

/** A token that is wished for, as somebody wrote it. */
export interface HostTokenWish {
  names: string[]
  /** Whose it is to be; null is the caller. */
  userId: number | null
  withTxt: boolean
  /** Absent: the names. */
  name?: string
  networks: string[]
  /** ISO 8601; null never expires. */
  expiresAt: string | null
}

/** A token that was made; its secret is here and nowhere else. */
export interface MadeHostToken {
  id: number
  key: string
  hosts: string[]
}

/** Makes the token of some hosts. Throws as `HostsOfTokens.resolve`, `keyOwner` and `addKey`. */
export async function makeHostToken(
  hostsOfTokens: HostsOfTokens,
  wish: HostTokenWish,
  terms: AccountTerms
): Promise<MadeHostToken> {
  const { actor } = terms
  const { hosts, zones } = await hostsOfTokens.resolve([actor], wish.names)
  const owner = await keyOwner(actor, wish.userId, 'api_key.create', true)
  const user = await actorOfUser(owner.id, actor.channel)
  if (!user) {
    throw notFound('User not found')
  }
  await hostsOfTokens.resolve([user.actor], wish.names)
  const networks = wish.networks.map((text, index) => cidr(text, `networks.${index}`))
  const scope = hostTokenScope({
    hosts,
    withTxt: wish.withTxt,
    // A key for some zones makes no token for more.
    zones: actor.key?.zones ? zones : null,
    networks: networks.length > 0 ? networks : (actor.key?.networks?.slice() ?? null),
    expiresAt: wish.expiresAt,
  })
  const name = wish.name ?? hosts.join(', ').slice(0, 200)
  const { id, key } = await addKey(owner, { name, scope }, terms, 'dyndns')
  return { id, key, hosts }
}
