import router from '@adonisjs/core/services/router'
import { answeredByPage, signedInPages, signedInUploads } from '#start/web/sign_in'

const RecordCheckController = () => import('#controllers/web/records/record_check_controller')
const RecordFormsController = () => import('#controllers/web/records/record_forms_controller')
const ZoneChangesController = () => import('#controllers/web/records/zone_changes_controller')
const ZoneCloneController = () => import('#controllers/web/zones/zone_clone_controller')
const ZoneDeletionController = () => import('#controllers/web/zones/zone_deletion_controller')
const ZoneHistoryController = () => import('#controllers/web/history/zone_history_controller')
const ZoneImportController = () => import('#controllers/web/zones/zone_import_controller')
const ZonePastController = () => import('#controllers/web/history/zone_past_controller')
const ZonePtrController = () => import('#controllers/web/zones/zone_ptr_controller')
const ZoneRestoreController = () => import('#controllers/web/history/zone_restore_controller')
const ZoneSettingsController = () => import('#controllers/web/zones/zone_settings_controller')
const ZoneTextController = () => import('#controllers/web/records/zone_text_controller')
const ZoneUndoController = () => import('#controllers/web/history/zone_undo_controller')
const ZonesController = () => import('#controllers/web/zones/zones_controller')
const WizardsController = () => import('#controllers/web/records/wizards_controller')

/** Pages about one zone. */
export function zonePages(): void {
  signedInPages(() => {
    router.get('/zones/:id', [ZonesController, 'show'])
    router.get('/zones/:id/settings', [ZoneSettingsController, 'edit'])
    router.post('/zones/:id/settings', [ZoneSettingsController, 'update'])
    router.get('/zones/:id/owners', [ZoneSettingsController, 'owners'])
    router.post('/zones/:id/owners', [ZoneSettingsController, 'addOwner'])
    router.post('/zones/:id/owners/remove', [ZoneSettingsController, 'removeOwner'])
    router.get('/zones/:id/delete', [ZoneDeletionController, 'show'])
    router.post('/zones/:id/delete', [ZoneDeletionController, 'destroy'])
    answeredByPage('/zones/:id/plan', [ZoneChangesController, 'plan'])
    router.post('/zones/:id/check', [RecordCheckController, 'store'])
    router.post('/zones/:id/apply', [ZoneChangesController, 'apply'])
    router.get('/zones/:id/records/new', [RecordFormsController, 'create'])
    answeredByPage('/zones/:id/records/new', [RecordFormsController, 'store'])
    router.get('/zones/:id/records/:recordId/edit', [RecordFormsController, 'edit'])
    answeredByPage('/zones/:id/records/:recordId/edit', [RecordFormsController, 'update'])
    answeredByPage('/zones/:id/records/:recordId/delete', [RecordFormsController, 'destroy'])
    router.get('/zones/:id/history', [ZoneHistoryController, 'index'])
    router.get('/zones/:id/text', [ZoneTextController, 'show'])
    router.get('/zones/:id/import', [ZoneImportController, 'show'])
    router.get('/zones/:id/export', [ZoneImportController, 'export'])
    router.get('/zones/:id/clone', [ZoneCloneController, 'create'])
    router.post('/zones/:id/clone', [ZoneCloneController, 'store'])
    router.get('/zones/:id/ptr', [ZonePtrController, 'show'])
    router.get('/zones/:id/history/:entry', [ZoneHistoryController, 'show'])
    router.get('/zones/:id/history/:entry/undo', [ZoneUndoController, 'create'])
    router.post('/zones/:id/history/:entry/undo', [ZoneUndoController, 'store'])
    router.get('/zones/:id/at', [ZonePastController, 'at'])
    router.get('/zones/:id/at/file', [ZonePastController, 'file'])
    router.get('/zones/:id/diff', [ZonePastController, 'diff'])
    router.get('/zones/:id/restore', [ZoneRestoreController, 'create'])
    router.post('/zones/:id/restore', [ZoneRestoreController, 'store'])
  })

  signedInUploads(() => {
    answeredByPage('/zones/:id/text', [ZoneTextController, 'edit'])
    answeredByPage('/zones/:id/text/plan', [ZoneTextController, 'plan'])
    router.post('/zones/:id/text/apply', [ZoneTextController, 'apply'])
    router.post('/zones/:id/text/check', [ZoneTextController, 'check'])
    answeredByPage('/zones/:id/import', [ZoneImportController, 'edit'])
    answeredByPage('/zones/:id/import/plan', [ZoneImportController, 'plan'])
    router.post('/zones/:id/import/apply', [ZoneImportController, 'apply'])
    answeredByPage('/zones/:id/ptr/plan', [ZonePtrController, 'plan'])
    router.post('/zones/:id/ptr/apply', [ZonePtrController, 'apply'])
  })
}

/** Wizards: forms that create records and add them to the pending changes of the zone's editor. */
export function wizardPages(): void {
  signedInPages(() => {
    router.get('/zones/:id/wizards', [WizardsController, 'index'])
    router.get('/zones/:id/wizards/:kind', [WizardsController, 'show'])
    answeredByPage('/zones/:id/wizards/:kind', [WizardsController, 'preview'])
  })
}
