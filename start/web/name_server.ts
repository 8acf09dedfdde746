import router from '@adonisjs/core/services/router'
import { answeredByPage, signedInPages } from '#start/web/sign_in'

const AutoprimariesController = () => import('#controllers/web/server/autoprimaries_controller')
const ConsistencyController = () => import('#controllers/web/server/consistency_controller')
const ServerStatusController = () => import('#controllers/web/server/server_status_controller')
const ZoneCallsController = () => import('#controllers/web/zones/zone_calls_controller')
const ZoneDnssecController = () => import('#controllers/web/zones/zone_dnssec_controller')
const ZoneKeysController = () => import('#controllers/web/zones/zone_keys_controller')
const ZoneMetadataController = () => import('#controllers/web/zones/zone_metadata_controller')

/** Actions on the name server, and its state. */
export function nameServerPages(): void {
  signedInPages(() => {
    router.get('/zones/:id/dnssec', [ZoneDnssecController, 'show'])
    router.post('/zones/:id/dnssec/sign', [ZoneDnssecController, 'sign'])
    router.post('/zones/:id/dnssec/rectify', [ZoneDnssecController, 'rectify'])
    router.get('/zones/:id/dnssec/unsign', [ZoneDnssecController, 'confirm'])
    router.post('/zones/:id/dnssec/unsign', [ZoneDnssecController, 'unsign'])
    router.get('/zones/:id/dnssec/keys/new', [ZoneKeysController, 'create'])
    router.post('/zones/:id/dnssec/keys/new', [ZoneKeysController, 'store'])
    router.get('/zones/:id/dnssec/keys/import', [ZoneKeysController, 'createImport'])
    router.post('/zones/:id/dnssec/keys/import', [ZoneKeysController, 'import'])
    router.post('/zones/:id/dnssec/keys/:keyId/activate', [ZoneKeysController, 'activate'])
    router.get('/zones/:id/dnssec/keys/:keyId/deactivate', [
      ZoneKeysController,
      'confirmDeactivation',
    ])
    router.post('/zones/:id/dnssec/keys/:keyId/deactivate', [ZoneKeysController, 'deactivate'])
    router.get('/zones/:id/dnssec/keys/:keyId/delete', [ZoneKeysController, 'confirmDeletion'])
    router.post('/zones/:id/dnssec/keys/:keyId/delete', [ZoneKeysController, 'destroy'])

    router.get('/zones/:id/metadata', [ZoneMetadataController, 'index'])
    router.get('/zones/:id/metadata/edit', [ZoneMetadataController, 'edit'])
    router.post('/zones/:id/metadata/edit', [ZoneMetadataController, 'update'])
    router.post('/zones/:id/metadata/delete', [ZoneMetadataController, 'destroy'])

    router.post('/zones/:id/notify', [ZoneCallsController, 'notify'])
    router.post('/zones/:id/retrieve', [ZoneCallsController, 'retrieve'])
    router.post('/zones/:id/flush', [ZoneCallsController, 'flush'])

    router.get('/server', [ServerStatusController, 'show'])
    router.get('/server/autoprimaries', [AutoprimariesController, 'index'])
    router.post('/server/autoprimaries', [AutoprimariesController, 'store'])
    router.get('/server/autoprimaries/edit', [AutoprimariesController, 'edit'])
    router.post('/server/autoprimaries/edit', [AutoprimariesController, 'update'])
    router.post('/server/autoprimaries/delete', [AutoprimariesController, 'destroy'])
    router.get('/server/consistency', [ConsistencyController, 'index'])
    router.get('/server/consistency/:check', [ConsistencyController, 'show'])
    answeredByPage('/server/consistency/:check/plan', [ConsistencyController, 'plan'])
    router.post('/server/consistency/:check/apply', [ConsistencyController, 'apply'])
  })
}
