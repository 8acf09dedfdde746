import router from '@adonisjs/core/services/router'
import interfaceSettings from '#config/interface'
import { accountPages } from '#start/web/account'
import { ownPages } from '#start/web/doors'
import { keyPages } from '#start/web/keys'
import { zonePages } from '#start/web/zone'
import { zoneTemplatePages } from '#start/web/zone_templates'
import { zonesPages } from '#start/web/zones'

const AssetsController = () => import('#controllers/web/assets_controller')
const HomeController = () => import('#controllers/web/home_controller')

if (interfaceSettings.web_enabled) {
  router.get('/assets/:hash/*', [AssetsController]).as('web.assets')
  ownPages(() => {
    router.get('/', [HomeController])
  })
  accountPages()
  zonesPages()
  zonePages()
  keyPages()
  zoneTemplatePages()
}
