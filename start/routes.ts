import router from '@adonisjs/core/services/router'
import { middleware } from '#start/kernel'

const ZonesController = () => import('#controllers/api/zones_controller')
const RecordsController = () => import('#controllers/api/records_controller')
const HealthController = () => import('#controllers/health/health_controller')
const PingController = () => import('#controllers/health/ping_controller')
const RemovedApiController = () => import('#controllers/api/removed_api_controller')

router.get('/ping', [PingController])
router.get('/api/health', [HealthController])
router.any('/api/v1', [RemovedApiController]).as('removed_api.root')
router.any('/api/v1/*', [RemovedApiController]).as('removed_api.below')

router
  .group(() => {
    router.get('/zones', [ZonesController, 'index'])
    router.post('/zones', [ZonesController, 'store'])
    router.get('/zones/:id', [ZonesController, 'show'])
    router.put('/zones/:id', [ZonesController, 'update'])
    router.delete('/zones/:id', [ZonesController, 'destroy'])

    router.get('/zones/:id/records', [RecordsController, 'index'])
    router.post('/zones/:id/records', [RecordsController, 'store'])
    router.get('/zones/:id/records/:recordId', [RecordsController, 'show'])
    router.put('/zones/:id/records/:recordId', [RecordsController, 'update'])
    router.delete('/zones/:id/records/:recordId', [RecordsController, 'destroy'])
  })
  .prefix('/api/v2')
  .where('id', /^(0|[1-9]\d*)$/)
  .where('recordId', /^[A-Za-z0-9_\-=.]+$/)
  .use([middleware.singleValues(), middleware.apiEnabled(), middleware.apiKey()])
