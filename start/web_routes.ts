import router from '@adonisjs/core/services/router'
import interfaceSettings from '#config/interface'
import { accountPages } from '#start/web/account'
import { signedInPages } from '#start/web/sign_in'
import { operationsPages } from '#start/web/operations'
import { reviewPages } from '#start/web/review'
import { nameServerPages } from '#start/web/name_server'
import { peoplePages } from '#start/web/people'
import { keyPages } from '#start/web/keys'
import { firstRunPages } from '#start/web/first_run'
import { livePages, searchPages } from '#start/web/search'
import { wizardPages, zonePages } from '#start/web/zone'
import { zoneTemplatePages } from '#start/web/zone_templates'
import { zonesPages } from '#start/web/zones'

const AssetsController = () => import('#controllers/web/home/assets_controller')
const HelpController = () => import('#controllers/web/home/help_controller')
const HomeController = () => import('#controllers/web/home/home_controller')

if (interfaceSettings.web_enabled) {
  router.get('/assets/:hash/*', [AssetsController]).as('web.assets')
  signedInPages(() => {
    router.get('/', [HomeController])
    router.get('/help/images/:name', [HelpController, 'image'])
    router.get('/help', [HelpController, 'show'])
    router.get('/help/*', [HelpController, 'show']).as('help.page')
  })
  accountPages()
  peoplePages()
  zonesPages()
  zonePages()
  reviewPages()
  operationsPages()
  nameServerPages()
  keyPages()
  zoneTemplatePages()
  searchPages()
  livePages()
  wizardPages()
  firstRunPages()
}
