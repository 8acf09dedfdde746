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

/**
 * Every operation of the API. A test fails if a route has no operation, or an operation has no
 * route.
 */
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

/** Schemas of the objects in answers. */
export const COMPONENTS = {
  ...ZONE_OBJECTS,
  ...ZONE_TEMPLATE_OBJECTS,
  ...DYNDNS_OBJECTS,
  ...REVIEW_OBJECTS,
  ...ACCOUNT_OBJECTS,
  ...SERVICE_OBJECTS,
}

/** Tags of the operations, with their descriptions. */
export const TAG_DESCRIPTIONS = {
  'Zones': 'Zones and their properties.',
  'Records': 'Single records, and many records in one request.',
  'RRsets': 'All records of one name and type.',
  'Change sets':
    'Changes to several RRsets, in one or more zones. Either all of them are applied, or none.',
  'Change requests': 'Changes that wait for approval.',
  'History': 'Changes to a zone, undo and restore.',
  'Trash': 'Deleted zones.',
  'Zone files': 'Import and export of BIND zone files (RFC 1035, section 5).',
  'Metadata': 'PowerDNS settings of a zone, in addition to its records.',
  'Zone templates': 'Records of new zones, and later differences between zones and their template.',
  'Dynamic DNS': 'Addresses that hosts update themselves, and the tokens for these updates.',
  'DNSSEC': 'Signing of zones by the name server.',
  'Owners': 'Users who own a zone.',
  'Search': 'Zones, records and comments.',
  'Users': 'Users who can sign in.',
  'Groups': 'Groups of users, and the zones that a group owns.',
  'Permissions': 'Permission templates, and the permissions that they grant.',
  'API keys': 'Keys of scripts, and the restrictions of the keys.',
  'Access': 'Reasons why an action is allowed or refused.',
  'Audit log': 'Events about accounts, permissions, settings and changes, with their actors.',
  'Name server': 'The PowerDNS server: status, calls and autoprimaries.',
  'Events': 'Events as a stream, and their delivery to webhooks.',
  'Jobs': 'Commands that the scheduler starts at due times.',
} as const

/** The description of the API: an OpenAPI 3.1 document. */
export function apiDescription(): object {
  return openApiDocument({ operations: OPERATIONS, components: COMPONENTS, tags: TAG_DESCRIPTIONS })
}
