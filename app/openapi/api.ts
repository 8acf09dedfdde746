import { openApiDocument } from '#openapi/document'
import { DYNDNS_OBJECTS } from '#openapi/objects/dynamic_dns'
import { ACCOUNT_OBJECTS } from '#openapi/objects/accounts'
import { ZONE_TEMPLATE_OBJECTS } from '#openapi/objects/zone_templates'
import { REVIEW_OBJECTS } from '#openapi/objects/review'
import { SERVICE_OBJECTS } from '#openapi/objects/service'
import { ZONE_OBJECTS } from '#openapi/objects/zones'
import type { Operations } from '#openapi/operation'
import { ACCOUNT_OPERATIONS } from '#openapi/operations/accounts'
import { DYNDNS_OPERATIONS } from '#openapi/operations/dynamic_dns'
import { HISTORY_OPERATIONS } from '#openapi/operations/history'
import { REVIEW_OPERATIONS } from '#openapi/operations/review'
import { SERVER_OPERATIONS } from '#openapi/operations/server'
import { ZONE_TEMPLATE_OPERATIONS } from '#openapi/operations/zone_templates'
import { SERVICE_OPERATIONS } from '#openapi/operations/service'
import { ZONE_METADATA_OPERATIONS } from '#openapi/operations/zone_metadata'
import { ZONE_OWNER_OPERATIONS } from '#openapi/operations/zone_owners'
import { ZONE_OPERATIONS } from '#openapi/operations/zones'

/** Every operation of the API. A route without one here, or one without a route, fails the tests. */
export const OPERATIONS: Operations = {
  ...ZONE_OPERATIONS,
  ...ZONE_OWNER_OPERATIONS,
  ...ZONE_METADATA_OPERATIONS,
  ...ZONE_TEMPLATE_OPERATIONS,
  ...DYNDNS_OPERATIONS,
  ...HISTORY_OPERATIONS,
  ...REVIEW_OPERATIONS,
  ...SERVER_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...SERVICE_OPERATIONS,
}

/** The objects of answers. */
export const COMPONENTS = {
  ...ZONE_OBJECTS,
  ...ZONE_TEMPLATE_OBJECTS,
  ...DYNDNS_OBJECTS,
  ...REVIEW_OBJECTS,
  ...ACCOUNT_OBJECTS,
  ...SERVICE_OBJECTS,
}

/** What belongs together. */
export const TAGS = {
  'Zones': 'Zones and their properties.',
  'Records': 'Records, one by one or many at once.',
  'RRsets': 'All records of a name and a type together.',
  'Change sets': 'Changes of several RRsets, also of several zones: all or none.',
  'Change requests': 'Changes that wait for a reviewer.',
  'History': 'What became of a zone, and how it comes back.',
  'Trash': 'Deleted zones.',
  'Zone files': 'BIND zone files in and out (RFC 1035, 5).',
  'Metadata': 'What PowerDNS does with a zone beside answering it.',
  'Zone templates': 'What new zones begin with, and how zones differ from it since.',
  'Dynamic DNS': 'Addresses that hosts tell themselves, and the tokens they do it with.',
  'DNSSEC': 'Signing of zones by the name server.',
  'Owners': 'Users who own a zone.',
  'Search': 'Zones, records and comments.',
  'Users': 'Who may sign in.',
  'Groups': 'Users and the zones that they own together.',
  'Permissions': 'What permission templates grant.',
  'API keys': 'Keys of scripts, and what they are narrowed to.',
  'Access': 'Why something is allowed or refused.',
  'Audit log': 'Who did what.',
  'Name server': 'The PowerDNS server as a whole.',
  'Events': 'What happens, as a stream and to webhooks.',
  'Jobs': 'What runs by the clock.',
} as const

/** The description of the API: an OpenAPI 3.1 document. */
export function apiDescription(): object {
  return openApiDocument({ operations: OPERATIONS, components: COMPONENTS, tags: TAGS })
}
