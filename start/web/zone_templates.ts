import router from '@adonisjs/core/services/router'
import { answeredByPage, signedInPages } from '#start/web/sign_in'

const TemplateRecordsController = () =>
  import('#controllers/web/templates/template_records_controller')
const TemplateZonesController = () => import('#controllers/web/templates/template_zones_controller')
const ZoneTemplatesController = () => import('#controllers/web/templates/zone_templates_controller')

/** Zone templates, their records, and the zones that were created from them. */
export function zoneTemplatePages(): void {
  signedInPages(() => {
    router.get('/zone-templates', [ZoneTemplatesController, 'index'])
    router.get('/zone-templates/new', [ZoneTemplatesController, 'create'])
    router.post('/zone-templates/new', [ZoneTemplatesController, 'store'])
    router.get('/zone-templates/:id', [TemplateRecordsController, 'index'])
    router.get('/zone-templates/:id/settings', [ZoneTemplatesController, 'edit'])
    router.post('/zone-templates/:id/settings', [ZoneTemplatesController, 'update'])
    router.post('/zone-templates/:id/delete', [ZoneTemplatesController, 'destroy'])
    router.get('/zone-templates/:id/records/new', [TemplateRecordsController, 'create'])
    router.post('/zone-templates/:id/records/new', [TemplateRecordsController, 'store'])
    router.get('/zone-templates/:id/records/:recordId', [TemplateRecordsController, 'edit'])
    router.post('/zone-templates/:id/records/:recordId', [TemplateRecordsController, 'update'])
    router.post('/zone-templates/:id/records/:recordId/delete', [
      TemplateRecordsController,
      'destroy',
    ])
    router.get('/zone-templates/:id/zones', [TemplateZonesController, 'index'])
    answeredByPage('/zone-templates/:id/sync', [TemplateZonesController, 'sync'])
    router.post('/zone-templates/:id/unlink', [TemplateZonesController, 'unlink'])
    router.get('/zones/:id/save-template', [TemplateZonesController, 'create'])
    router.post('/zones/:id/save-template', [TemplateZonesController, 'store'])
  })
}
