import router from '@adonisjs/core/services/router'
import { answeredByPage, signedInPages, signedInUploads } from '#start/web/sign_in'

const BulkZonesController = () => import('#controllers/web/zones/bulk_zones_controller')
const NewZonesController = () => import('#controllers/web/zones/new_zones_controller')
const SavedViewsController = () => import('#controllers/web/zones/saved_views_controller')
const TrashController = () => import('#controllers/web/zones/trash_controller')
const ZoneFromFileController = () => import('#controllers/web/zones/zone_from_file_controller')
const ZoneListController = () => import('#controllers/web/zones/zone_list_controller')

/** The list of zones, new ones, and deleted ones. */
export function zonesPages(): void {
  signedInPages(() => {
    router.get('/zones', [ZoneListController, 'index'])
    router.get('/zones/new', [NewZonesController, 'create'])
    router.post('/zones/new', [NewZonesController, 'store'])
    router.get('/zones/new/results/:result', [NewZonesController, 'showCreated'])
    router.get('/zones/new/file', [ZoneFromFileController, 'create'])
    router.post('/zones/views', [SavedViewsController, 'store'])
    router.post('/zones/views/:id/delete', [SavedViewsController, 'destroy'])
    answeredByPage('/zones/bulk', [BulkZonesController, 'plan'])
    router.post('/zones/bulk/apply', [BulkZonesController, 'apply'])
    router.get('/zones/bulk/apply/results/:result', [BulkZonesController, 'applied'])

    router.get('/trash', [TrashController, 'index'])
    router.get('/trash/:id/restore', [TrashController, 'create'])
    router.post('/trash/:id/restore', [TrashController, 'store'])
    router.post('/trash/:id/discard', [TrashController, 'destroy'])
  })

  signedInUploads(() => {
    answeredByPage('/zones/new/file', [ZoneFromFileController, 'edit'])
    answeredByPage('/zones/new/file/plan', [ZoneFromFileController, 'plan'])
    router.post('/zones/new/file/apply', [ZoneFromFileController, 'apply'])
  })
}
