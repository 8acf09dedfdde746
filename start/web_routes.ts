import app from '@adonisjs/core/services/app'
import router from '@adonisjs/core/services/router'
import interfaceSettings from '#config/interface'
import { middleware } from '#start/kernel'

const AssetsController = () => import('#controllers/web/assets_controller')
const BulkZonesController = () => import('#controllers/web/bulk_zones_controller')
const ForgottenPasswordController = () => import('#controllers/web/forgotten_password_controller')
const HomeController = () => import('#controllers/web/home_controller')
const NewZonesController = () => import('#controllers/web/new_zones_controller')
const OwnSessionsController = () => import('#controllers/web/own_sessions_controller')
const PasswordController = () => import('#controllers/web/password_controller')
const PasswordResetController = () => import('#controllers/web/password_reset_controller')
const PreferencesController = () => import('#controllers/web/preferences_controller')
const SavedViewsController = () => import('#controllers/web/saved_views_controller')
const SecondFactorController = () => import('#controllers/web/second_factor_controller')
const SessionController = () => import('#controllers/web/session_controller')
const SignInCodeController = () => import('#controllers/web/sign_in_code_controller')
const RecordCheckController = () => import('#controllers/web/record_check_controller')
const RecordFormsController = () => import('#controllers/web/record_forms_controller')
const StyleguideController = () => import('#controllers/web/styleguide_controller')
const TrashController = () => import('#controllers/web/trash_controller')
const ZoneChangesController = () => import('#controllers/web/zone_changes_controller')
const ZoneDeletionController = () => import('#controllers/web/zone_deletion_controller')
const ZoneHistoryController = () => import('#controllers/web/zone_history_controller')
const ZoneListController = () => import('#controllers/web/zone_list_controller')
const ZoneSettingsController = () => import('#controllers/web/zone_settings_controller')
const ZoneCloneController = () => import('#controllers/web/zone_clone_controller')
const ZoneImportController = () => import('#controllers/web/zone_import_controller')
const ZonePtrController = () => import('#controllers/web/zone_ptr_controller')
const ZoneTextController = () => import('#controllers/web/zone_text_controller')
const ZonePastController = () => import('#controllers/web/zone_past_controller')
const ZoneRestoreController = () => import('#controllers/web/zone_restore_controller')
const ZoneUndoController = () => import('#controllers/web/zone_undo_controller')
const ZonesController = () => import('#controllers/web/zones_controller')

/** Routes of pages that everybody may look at. Nothing of this runs for the other doors. */
function pages(routes: () => void) {
  return router.group(routes).as('web').use([
    middleware.page(),
    middleware.singleValues(),
    middleware.session(),
    middleware.visitor(),
    // Bodies are read once it is known who sends them.
    middleware.form(),
    middleware.shield(),
  ])
}

/** Routes of pages that take a sign-in. */
function ownPages(routes: () => void) {
  pages(() => {
    router.group(routes).use(middleware.signedIn())
  })
    .where('id', /^(0|[1-9]\d*)$/)
    .where('entry', /^[1-9]\d{0,8}$/)
    .where('recordId', /^[A-Za-z0-9_\-=.]+$/)
}

/** Routes of forms that carry files and whole zones: they are read for nobody who did not sign in. */
function ownUploads(routes: () => void) {
  router
    .group(routes)
    .as('web.uploads')
    .use([
      middleware.page(),
      middleware.singleValues(),
      middleware.session(),
      middleware.visitor(),
      middleware.signedIn(),
      middleware.upload(),
      middleware.shield(),
    ])
    .where('id', /^(0|[1-9]\d*)$/)
}

if (interfaceSettings.web_enabled) {
  router.get('/assets/:hash/*', [AssetsController]).as('web.assets')

  pages(() => {
    router.get('/login', [SessionController, 'create'])
    router.post('/login', [SessionController, 'store'])
    router.get('/login/code', [SignInCodeController, 'create'])
    router.post('/login/code', [SignInCodeController, 'store'])
    router.get('/password/forgotten', [ForgottenPasswordController, 'create'])
    router.post('/password/forgotten', [ForgottenPasswordController, 'store'])
    router.get('/password/forgotten/sent', [ForgottenPasswordController, 'sent'])
    router.get('/password/reset', [PasswordResetController, 'edit'])
    router.post('/password/reset', [PasswordResetController, 'update'])
    if (!app.inProduction) {
      router.get('/styleguide', [StyleguideController])
    }
  })

  ownPages(() => {
    router.get('/', [HomeController])
    router.post('/logout', [SessionController, 'destroy'])

    router.get('/account/preferences', [PreferencesController, 'edit'])
    router.post('/account/preferences', [PreferencesController, 'update'])
    router.get('/account/password', [PasswordController, 'edit'])
    router.post('/account/password', [PasswordController, 'update'])
    router.get('/account/second-factor', [SecondFactorController, 'show'])
    router.post('/account/second-factor', [SecondFactorController, 'store'])
    router.post('/account/second-factor/recovery-codes', [SecondFactorController, 'renew'])
    router.post('/account/second-factor/off', [SecondFactorController, 'destroy'])
    router.get('/account/sessions', [OwnSessionsController, 'index'])
    router.post('/account/sessions/end-others', [OwnSessionsController, 'destroyOthers'])
    router.post('/account/sessions/:id/end', [OwnSessionsController, 'destroy'])

    router.get('/zones', [ZoneListController, 'index'])
    router.get('/zones/new', [NewZonesController, 'create'])
    router.post('/zones/new', [NewZonesController, 'store'])
    router.get('/zones/suggest', [ZoneListController, 'suggest'])
    router.post('/zones/views', [SavedViewsController, 'store'])
    router.post('/zones/views/:id/delete', [SavedViewsController, 'destroy'])
    router.post('/zones/bulk', [BulkZonesController, 'plan'])
    router.post('/zones/bulk/apply', [BulkZonesController, 'apply'])
    router.get('/zones/:id', [ZonesController, 'show'])
    router.get('/zones/:id/settings', [ZoneSettingsController, 'edit'])
    router.post('/zones/:id/settings', [ZoneSettingsController, 'update'])
    router.post('/zones/:id/owners', [ZoneSettingsController, 'addOwner'])
    router.post('/zones/:id/owners/remove', [ZoneSettingsController, 'removeOwner'])
    router.get('/zones/:id/delete', [ZoneDeletionController, 'show'])
    router.post('/zones/:id/delete', [ZoneDeletionController, 'destroy'])
    router.post('/zones/:id/plan', [ZoneChangesController, 'plan'])
    router.post('/zones/:id/check', [RecordCheckController, 'store'])
    router.post('/zones/:id/apply', [ZoneChangesController, 'apply'])
    router.get('/zones/:id/records/new', [RecordFormsController, 'create'])
    router.post('/zones/:id/records/new', [RecordFormsController, 'store'])
    router.get('/zones/:id/records/:recordId/edit', [RecordFormsController, 'edit'])
    router.post('/zones/:id/records/:recordId/edit', [RecordFormsController, 'update'])
    router.post('/zones/:id/records/:recordId/delete', [RecordFormsController, 'destroy'])
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
    router.get('/trash', [TrashController, 'index'])
    router.get('/trash/:id/restore', [TrashController, 'create'])
    router.post('/trash/:id/restore', [TrashController, 'store'])
    router.post('/trash/:id/discard', [TrashController, 'destroy'])
  })

  ownUploads(() => {
    router.post('/zones/:id/text', [ZoneTextController, 'edit'])
    router.post('/zones/:id/text/plan', [ZoneTextController, 'plan'])
    router.post('/zones/:id/text/apply', [ZoneTextController, 'apply'])
    router.post('/zones/:id/text/check', [ZoneTextController, 'check'])
    router.post('/zones/:id/import/plan', [ZoneImportController, 'plan'])
    router.post('/zones/:id/import/apply', [ZoneImportController, 'apply'])
    router.post('/zones/:id/ptr/plan', [ZonePtrController, 'plan'])
    router.post('/zones/:id/ptr/apply', [ZonePtrController, 'apply'])
  })
}
