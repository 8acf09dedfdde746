import { KEY_LIST } from '#accounts/keys/list'
import type { Operations } from '#openapi/operation'
import { WRITE_BODY } from '#openapi/operations/write_body'
import { list, named, object, text } from '#openapi/schema'
import { dynamicDnsValidator, hostTokenValidator } from '#validators/dynamic_dns'
import { CLIENT_LIST } from '#zones/dynamic_dns/client_list'

const TAG = 'Dynamic DNS'
const EDITS = 'The right to edit the zone, which the caller owns'

/** Dynamic DNS: updates, tokens of hosts, and who was seen. */
export const DYNDNS_OPERATIONS: Operations = {
  'POST /dynamic-dns': {
    tag: TAG,
    summary: 'Give a host its addresses',
    description:
      'What is sent is all that the host is to have of a family; a family that is not sent stays, or ends with `dualstack`. An IPv6 network moves the addresses that are there. Saying what is there already changes and writes nothing.',
    needs: EDITS,
    body: {
      validator: dynamicDnsValidator,
      example: { hostname: 'home.alpha.example', ipv4: '192.0.2.50', ipv6: '2001:db8::50' },
      required: ['hostname'],
      members: {
        ipv4: 'A comma list of addresses.',
        ipv6: 'A comma list of addresses, or one network such as 2001:db8:1::/64.',
        dualstack: 'Whether the family that is not sent ends.',
      },
    },
    answers: { 200: named('DynamicUpdate') },
    refusals: {
      404: 'No zone of the caller’s holds the host.',
      409: 'There is no address that could move into the network.',
    },
  },
  'GET /dynamic-dns/clients': {
    tag: TAG,
    summary: 'List clients of dynamic DNS',
    description:
      'Hosts of zones that the caller may view; who updated them from where only with the right to the history of the zone.',
    list: CLIENT_LIST,
    answers: { 200: object({ clients: list(named('DyndnsClient')) }) },
  },
  'GET /dynamic-dns/tokens': {
    tag: TAG,
    summary: 'List tokens of hosts',
    description: 'Own ones; administrators see all.',
    list: KEY_LIST,
    parameters: [
      {
        name: 'user_id',
        in: 'query',
        description: 'Those of one user.',
        schema: { type: 'integer' },
      },
    ],
    answers: { 200: object({ tokens: list(named('HostToken')) }) },
  },
  'POST /dynamic-dns/tokens': {
    tag: TAG,
    summary: 'Create a token of hosts',
    description:
      'It sets the addresses of these names and does nothing else. The secret is shown this once; the answer is not kept for repeats.',
    needs: 'The right to edit the zone; for others: `user_is_ueberuser`',
    body: {
      validator: hostTokenValidator,
      example: { hostname: 'home.alpha.example', name: 'router' },
      members: {
        hostname: 'The host; or several as `hostnames`.',
        txt: 'Whether it may set TXT records of these names as well.',
        user_id: 'Whose token it is to be; the caller’s without it.',
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
    summary: 'Delete a token of hosts',
    description: 'The device that has it is refused from then on.',
    body: WRITE_BODY,
    answers: { 204: null },
  },
  'GET /dynamic-dns/recipes': {
    tag: TAG,
    summary: 'Show what to type where',
    description: 'The configuration of each router and client, with host and endpoint filled in.',
    parameters: [
      {
        name: 'hostname',
        in: 'query',
        description: 'The host; or a comma list of them.',
        schema: { type: 'string' },
        required: true,
      },
    ],
    answers: { 200: object({ recipes: list(named('DyndnsRecipe')) }) },
  },
}
