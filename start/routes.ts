import router from '@adonisjs/core/services/router'
import type { KeyOperation } from '#access/actor'
import dyndns from '#config/dyndns'
import { DYNDNS_PATHS } from '#zones/dynamic_dns/endpoint_paths'
import { middleware } from '#start/kernel'

const ZonesController = () => import('#controllers/api/zones/zones_controller')
const AuditController = () => import('#controllers/api/server/audit_controller')
const SearchController = () => import('#controllers/api/records/search_controller')
const BulkController = () => import('#controllers/api/records/bulk_controller')
const CloneZoneController = () => import('#controllers/api/zones/clone_zone_controller')
const ChangesController = () => import('#controllers/api/records/changes_controller')
const ChangeRequestsController = () => import('#controllers/api/review/change_requests_controller')
const HistoryController = () => import('#controllers/api/history/history_controller')
const TrashController = () => import('#controllers/api/zones/trash_controller')
const RRsetsController = () => import('#controllers/api/records/rrsets_controller')
const AutoprimariesController = () => import('#controllers/api/server/autoprimaries_controller')
const NameServerCallsController = () =>
  import('#controllers/api/server/name_server_actions_controller')
const DocsController = () => import('#controllers/api/docs/docs_controller')
const DnssecController = () => import('#controllers/api/zones/dnssec_controller')
const DnssecKeysController = () => import('#controllers/api/zones/dnssec_keys_controller')
const ServerStatusController = () => import('#controllers/api/server/server_status_controller')
const ZoneFileController = () => import('#controllers/api/zones/zone_file_controller')
const RecordsController = () => import('#controllers/api/records/records_controller')
const UsersController = () => import('#controllers/api/accounts/users_controller')
const ZoneOwnersController = () => import('#controllers/api/zones/zone_owners_controller')
const GroupsController = () => import('#controllers/api/accounts/groups_controller')
const GroupMembersController = () => import('#controllers/api/accounts/group_members_controller')
const ZoneMetadataController = () => import('#controllers/api/zones/zone_metadata_controller')
const GroupZonesController = () => import('#controllers/api/accounts/group_zones_controller')
const PermissionTemplatesController = () =>
  import('#controllers/api/accounts/permission_templates_controller')
const ZoneTemplatesController = () => import('#controllers/api/zones/zone_templates_controller')
const ZoneTemplateZonesController = () =>
  import('#controllers/api/zones/zone_template_zones_controller')
const ZoneTemplateRecordsController = () =>
  import('#controllers/api/zones/zone_template_records_controller')
const PermissionsController = () => import('#controllers/api/accounts/permissions_controller')
const ApiKeysController = () => import('#controllers/api/keys/api_keys_controller')
const DynamicDnsController = () => import('#controllers/api/dynamic_dns/dynamic_dns_controller')
const ExplainController = () => import('#controllers/api/accounts/explain_controller')
const HostTokensController = () => import('#controllers/api/keys/host_tokens_controller')
const DyndnsClientsController = () =>
  import('#controllers/api/dynamic_dns/dyndns_clients_controller')
const DyndnsRecipesController = () =>
  import('#controllers/api/dynamic_dns/router_guides_controller')
const DynamicUpdateController = () => import('#controllers/dyndns/dynamic_update_controller')
const JobsController = () => import('#controllers/api/server/jobs_controller')
const EventsController = () => import('#controllers/api/server/events_controller')
const WebhooksController = () => import('#controllers/api/server/webhooks_controller')
const HealthController = () => import('#controllers/health/health_controller')
const PingController = () => import('#controllers/health/ping_controller')
const RemovedApiController = () => import('#controllers/api/docs/removed_api_controller')

router.get('/ping', [PingController])
router.get('/api/health', [HealthController])
router.get('/api/docs', [DocsController, 'page'])
router.get('/api/docs/openapi.json', [DocsController, 'description'])
router.get('/api/docs/json', [DocsController, 'description']).as('docs.json')
router.get('/api/docs/v2/json', [DocsController, 'description']).as('docs.v2_json')
router.get('/api/docs/start.js', [DocsController, 'script'])
router.get('/api/docs/:asset', [DocsController, 'asset'])
router.any('/api/v1', [RemovedApiController]).as('removed_api.root')
router.any('/api/v1/*', [RemovedApiController]).as('removed_api.below')

// Accepts text before and after the path, because devices concatenate addresses. The path may contain a token.
for (const path of dyndns.enabled ? DYNDNS_PATHS : []) {
  for (const pattern of [path, `${path}/*`, `/:before${path}`]) {
    router
      .route(pattern, ['GET', 'HEAD', 'POST'], [DynamicUpdateController])
      .as(`dyndns ${pattern}`)
  }
}

/**
 * Adds routes of the API. An API key must allow `operations`, by default the operation of the method. Empty if the operations
 * depend on the changes of the request.
 */
function api(routes: () => void, operations?: KeyOperation[]) {
  const authentication = middleware.authentication(operations && { operations })
  router
    .group(routes)
    .prefix('/api/v2')
    .where('id', /^(0|[1-9]\d*)$/)
    .where('kind', /^[A-Za-z0-9_-]+$/)
    .where('entry', /^[1-9]\d{0,8}$/)
    .where('recordId', /^(?!bulk$)[A-Za-z0-9_\-=.]+$/)
    .use([
      middleware.singleValues(),
      middleware.apiEnabled(),
      authentication,
      middleware.heavyRequests(),
      middleware.idempotency(),
    ])
}

api(() => {
  router.get('/zones', [ZonesController, 'index'])
  router.post('/zones', [ZonesController, 'store'])
  router.get('/zones/:id', [ZonesController, 'show'])
  router.put('/zones/:id', [ZonesController, 'update'])
  router.delete('/zones/:id', [ZonesController, 'destroy'])
  router.post('/zones/:id/clone', [CloneZoneController])

  router.get('/zones/:id/records', [RecordsController, 'index'])
  router.post('/zones/:id/records', [RecordsController, 'store'])
  router.get('/zones/:id/records/:recordId', [RecordsController, 'show'])
  router.put('/zones/:id/records/:recordId', [RecordsController, 'update'])
  router.delete('/zones/:id/records/:recordId', [RecordsController, 'destroy'])

  router.get('/zones/:id/rrsets', [RRsetsController, 'index'])
  router.get('/zones/:id/rrsets/:name/:type', [RRsetsController, 'show'])
  router.delete('/zones/:id/rrsets/:name/:type', [RRsetsController, 'destroy'])

  router.get('/zones/:id/history', [HistoryController, 'index'])
  router.get('/zones/:id/history/:entry', [HistoryController, 'show'])
  router.get('/zones/:id/at', [HistoryController, 'showAt'])
  router.get('/zones/:id/diff', [HistoryController, 'diff'])
  router.get('/zones/:id/export', [ZoneFileController, 'export'])

  router.get('/zones/:id/metadata', [ZoneMetadataController, 'index'])
  router.get('/zones/:id/metadata/:kind', [ZoneMetadataController, 'show'])
  router.put('/zones/:id/metadata/:kind', [ZoneMetadataController, 'update'])
  router.delete('/zones/:id/metadata/:kind', [ZoneMetadataController, 'destroy'])

  router.get('/audit', [AuditController, 'index'])
  router.get('/search', [SearchController, 'index'])

  router.get('/trash', [TrashController, 'index'])
  router.post('/trash/:id/restore', [TrashController, 'restore'])
  router.delete('/trash/:id', [TrashController, 'destroy'])

  router.get('/users', [UsersController, 'index'])
  router.post('/users', [UsersController, 'store'])
  router.get('/users/:id', [UsersController, 'show'])
  router.put('/users/:id', [UsersController, 'update'])
  router.patch('/users/:id', [UsersController, 'assign'])
  router.delete('/users/:id', [UsersController, 'destroy'])
  router.post('/users/:id/unlock', [UsersController, 'unlock'])
})

// Replacing an RRset may create and change records; so may a dynamic update.
api(() => {
  router.route('/zones/:id/rrsets', ['PUT', 'POST', 'PATCH'], [RRsetsController, 'replace'])
  router.post('/dynamic-dns', [DynamicDnsController])
}, ['create', 'update'])

api(() => {
  router.post('/zones/:id/records/bulk', [BulkController])
  router.post('/changes', [ChangesController])
  router.post('/zones/:id/history/:entry/undo', [HistoryController, 'undo'])
  router.post('/zones/:id/restore', [HistoryController, 'restore'])
  router.post('/zones/:id/import', [ZoneFileController, 'import'])
}, [])

// Change requests.
api(() => {
  router.post('/zones/:id/change-requests', [ChangeRequestsController, 'store'])
  router.get('/change-requests', [ChangeRequestsController, 'index'])
  router.get('/change-requests/:id', [ChangeRequestsController, 'show'])
  router.delete('/change-requests/:id', [ChangeRequestsController, 'destroy'])
  router.post('/change-requests/:id/comments', [ChangeRequestsController, 'comment'])
})

// Routes that change an existing request.
api(() => {
  router.post('/change-requests/:id/approve', [ChangeRequestsController, 'approve'])
  router.post('/change-requests/:id/reject', [ChangeRequestsController, 'reject'])
  router.post('/change-requests/:id/rebase', [ChangeRequestsController, 'rebase'])
}, ['update'])

// Groups, owners of zones, permission templates.
api(() => {
  const number = /^(0|[1-9]\d*)$/
  router.get('/zones/:id/owners', [ZoneOwnersController, 'index'])
  router.post('/zones/:id/owners', [ZoneOwnersController, 'store'])
  router
    .delete('/zones/:id/owners/:userId', [ZoneOwnersController, 'destroy'])
    .where('userId', number)

  router.get('/groups', [GroupsController, 'index'])
  router.post('/groups', [GroupsController, 'store'])
  router.get('/groups/:id', [GroupsController, 'show'])
  router.put('/groups/:id', [GroupsController, 'update'])
  router.delete('/groups/:id', [GroupsController, 'destroy'])
  router.get('/groups/:id/members', [GroupMembersController, 'index'])
  router.post('/groups/:id/members', [GroupMembersController, 'store'])
  router
    .delete('/groups/:id/members/:userId', [GroupMembersController, 'destroy'])
    .where('userId', number)
  router.get('/groups/:id/zones', [GroupZonesController, 'index'])
  router.post('/groups/:id/zones', [GroupZonesController, 'store'])
  router
    .delete('/groups/:id/zones/:zoneId', [GroupZonesController, 'destroy'])
    .where('zoneId', number)

  router.get('/permission-templates', [PermissionTemplatesController, 'index'])
  router.post('/permission-templates', [PermissionTemplatesController, 'store'])
  router.get('/permission-templates/:id', [PermissionTemplatesController, 'show'])
  router.put('/permission-templates/:id', [PermissionTemplatesController, 'update'])
  router.delete('/permission-templates/:id', [PermissionTemplatesController, 'destroy'])
  router.get('/permissions', [PermissionsController, 'index'])
  router.get('/permissions/:id', [PermissionsController, 'show'])
})

// Zone templates.
api(() => {
  const number = /^(0|[1-9]\d*)$/
  router.get('/zone-templates', [ZoneTemplatesController, 'index'])
  router.post('/zone-templates', [ZoneTemplatesController, 'store'])
  router.get('/zone-templates/:id', [ZoneTemplatesController, 'show'])
  router.put('/zone-templates/:id', [ZoneTemplatesController, 'update'])
  router.delete('/zone-templates/:id', [ZoneTemplatesController, 'destroy'])
  router.get('/zone-templates/:id/records', [ZoneTemplateRecordsController, 'index'])
  router.post('/zone-templates/:id/records', [ZoneTemplateRecordsController, 'store'])
  const record = '/zone-templates/:id/records/:templateRecordId'
  router.get(record, [ZoneTemplateRecordsController, 'show']).where('templateRecordId', number)
  router.put(record, [ZoneTemplateRecordsController, 'update']).where('templateRecordId', number)
  router
    .delete(record, [ZoneTemplateRecordsController, 'destroy'])
    .where('templateRecordId', number)
})

api(() => {
  router.get('/zone-templates/:id/drift', [ZoneTemplateZonesController, 'drift'])
  router.post('/zones/:id/save-template', [ZoneTemplateZonesController, 'save'])
})

api(() => {
  router.post('/zone-templates/:id/sync', [ZoneTemplateZonesController, 'sync'])
  router.post('/zone-templates/:id/unlink', [ZoneTemplateZonesController, 'unlink'])
}, ['update'])

// DNSSEC.
api(() => {
  const key = /^(0|[1-9]\d*)$/
  router.get('/zones/:id/dnssec', [DnssecController, 'show'])
  router.get('/zones/:id/dnssec/keys', [DnssecKeysController, 'index'])
  router.post('/zones/:id/dnssec/keys', [DnssecKeysController, 'store'])
  router.post('/zones/:id/dnssec/keys/import', [DnssecKeysController, 'import'])
  router.get('/zones/:id/dnssec/keys/:keyId', [DnssecKeysController, 'show']).where('keyId', key)
  router
    .patch('/zones/:id/dnssec/keys/:keyId', [DnssecKeysController, 'update'])
    .where('keyId', key)
  router
    .delete('/zones/:id/dnssec/keys/:keyId', [DnssecKeysController, 'destroy'])
    .where('keyId', key)
})

// Routes that change an existing zone.
api(() => {
  router.post('/zones/:id/dnssec', [DnssecController, 'sign'])
  router.post('/zones/:id/dnssec/rectify', [DnssecController, 'rectify'])
  router.post('/zones/:id/notify', [NameServerCallsController, 'notify'])
  router.post('/zones/:id/retrieve', [NameServerCallsController, 'retrieve'])
  router.post('/zones/:id/flush', [NameServerCallsController, 'flush'])
}, ['update'])

// API keys and effective permissions.
api(() => {
  router.get('/api-keys', [ApiKeysController, 'index'])
  router.post('/api-keys', [ApiKeysController, 'store'])
  router.get('/api-keys/:id', [ApiKeysController, 'show'])
  router.put('/api-keys/:id', [ApiKeysController, 'update'])
  router.delete('/api-keys/:id', [ApiKeysController, 'destroy'])
  router.get('/dynamic-dns/clients', [DyndnsClientsController, 'index'])
  router.get('/dynamic-dns/tokens', [HostTokensController, 'index'])
  router.delete('/dynamic-dns/tokens/:id', [HostTokensController, 'destroy'])
  router.get('/dynamic-dns/recipes', [DyndnsRecipesController])
  router.get('/explain', [ExplainController])
  router.get('/server/status', [ServerStatusController, 'show'])
  router.get('/autoprimaries', [AutoprimariesController, 'index'])
  router.post('/autoprimaries', [AutoprimariesController, 'store'])
  router.put('/autoprimaries/:ip/:nameserver', [AutoprimariesController, 'update'])
  router.delete('/autoprimaries/:ip/:nameserver', [AutoprimariesController, 'destroy'])
})

// A token must not allow more than the key that creates it.
api(() => {
  router.post('/dynamic-dns/tokens', [HostTokensController, 'store'])
}, ['create', 'update', 'delete'])

// Deletes a secret and creates another one (HTTP API, Key restrictions 3 and 4).
api(() => {
  router.post('/api-keys/:id/regenerate', [ApiKeysController, 'regenerate'])
}, ['create', 'update'])

// Routes that change an existing key.
api(() => {
  router.post('/api-keys/:id/enable', [ApiKeysController, 'enable'])
  router.post('/api-keys/:id/disable', [ApiKeysController, 'disable'])
}, ['update'])

// Events, webhooks and jobs.
api(() => {
  router.get('/events', [EventsController, 'stream'])

  // Clients may send the colon plain or percent-encoded (RFC 3986, 2.1).
  const name = /^[a-z](?:[a-z:-]|%3a){0,63}$/i
  router.get('/webhooks', [WebhooksController, 'index'])
  router.post('/webhooks', [WebhooksController, 'store'])
  router.get('/webhooks/:id', [WebhooksController, 'show'])
  router.put('/webhooks/:id', [WebhooksController, 'update'])
  router.delete('/webhooks/:id', [WebhooksController, 'destroy'])
  router.get('/webhooks/:id/deliveries', [WebhooksController, 'deliveries'])
  router.get('/jobs', [JobsController, 'index'])
  router.get('/jobs/:job/runs', [JobsController, 'runs']).where('job', name)
  router.post('/jobs/:job/run', [JobsController, 'run']).where('job', name)
})

// Routes that change an existing webhook.
api(() => {
  router.post('/webhooks/:id/secret', [WebhooksController, 'secret'])
  router.post('/webhooks/:id/test', [WebhooksController, 'test'])
  router
    .post('/webhooks/:id/deliveries/:delivery/replay', [WebhooksController, 'replay'])
    .where('delivery', /^(0|[1-9]\d*)$/)
}, ['update'])
