import { KEY_LIST } from '#accounts/keys/list'
import type { Operations } from '#openapi/operation'
import { WRITE_BODY } from '#openapi/operations/write_body'
import { list, named, object, text } from '#openapi/schema'
import { dynamicDnsValidator, hostTokenValidator } from '#validators/dynamic_dns'
import { CLIENT_LIST } from '#zones/dynamic_dns/client_list'

const TAG = 'Dynamic DNS'
const EDIT_RIGHTS = 'the permission to edit the zone, and ownership of the zone'

/** Dynamic DNS: updates, host tokens, and clients. */
export const DYNDNS_OPERATIONS: Operations = {
  'POST /dynamic-dns': {
    tag: TAG,
    summary: 'Set the addresses of a host',
    description:
      'The sent addresses of a family replace its stored addresses. The addresses of a family that is not sent do not change. With `dualstack`, they are deleted. An IPv6 network moves the stored addresses into it. An update with the stored addresses writes nothing.',
    needs: EDIT_RIGHTS,
    body: {
      validator: dynamicDnsValidator,
      example: { hostname: 'home.alpha.example', ipv4: '192.0.2.50', ipv6: '2001:db8::50' },
      required: ['hostname'],
      members: {
        ipv4: 'Addresses, separated by commas.',
        ipv6: 'Addresses, separated by commas, or one network such as 2001:db8:1::/64.',
        dualstack: 'Whether to delete the addresses of a family that is not sent.',
      },
    },
    answers: { 200: named('DynamicUpdate') },
    refusals: {
      404: 'No zone of the caller contains the host.',
      409: 'The host has no address to move into the network.',
    },
  },
  'GET /dynamic-dns/clients': {
    tag: TAG,
    summary: 'List dynamic DNS clients',
    description:
      'Lists hosts in zones that the caller may view. The user and address of an update need the permission to view the history of the zone.',
    list: CLIENT_LIST,
    answers: { 200: object({ clients: list(named('DyndnsClient')) }) },
  },
  'GET /dynamic-dns/tokens': {
    tag: TAG,
    summary: 'List host tokens',
    description: 'Lists the tokens of the caller. Administrators see all tokens.',
    list: KEY_LIST,
    parameters: [
      {
        name: 'user_id',
        in: 'query',
        description: 'Only the tokens of this user.',
        schema: { type: 'integer' },
      },
    ],
    answers: { 200: object({ tokens: list(named('HostToken')) }) },
  },
  'POST /dynamic-dns/tokens': {
    tag: TAG,
    summary: 'Create a host token',
    description:
      'The token sets the addresses of these names and can do nothing else. Only this answer contains the secret. The answer is not stored for repeats.',
    needs: 'the permission to edit the zone; for tokens of other users, `user_is_ueberuser`',
    body: {
      validator: hostTokenValidator,
      example: { hostname: 'home.alpha.example', name: 'router' },
      members: {
        hostname: 'The host. Use `hostnames` for several hosts.',
        txt: 'Whether the token may also set TXT records of these names.',
        user_id: 'Owner of the token. The default is the caller.',
      },
    },
    answers: {
      201: object({
        token: named('HostToken'),
        secret: text('dyk4x…'),
        recipes: list(named('DyndnsRecipe')),
      }),
    },
  },
  'DELETE /dynamic-dns/tokens/{id}': {
    tag: TAG,
    summary: 'Delete a host token',
    description: 'After the deletion, requests of the device with this token are refused.',
    body: WRITE_BODY,
    answers: { 204: null },
  },
  'GET /dynamic-dns/recipes': {
    tag: TAG,
    summary: 'Show router settings for dynamic DNS',
    description:
      'Returns the configuration of each router and client, with host and endpoint filled in.',
    parameters: [
      {
        name: 'hostname',
        in: 'query',
        description: 'The host, or several hosts separated by commas.',
        schema: { type: 'string' },
        required: true,
      },
    ],
    answers: { 200: object({ recipes: list(named('DyndnsRecipe')) }) },
  },
}
