import app from '@adonisjs/core/services/app'
import router from '@adonisjs/core/services/router'
import interfaceSettings from '#config/interface'
import { middleware } from '#start/kernel'

const AssetsController = () => import('#controllers/web/assets_controller')
const HomeController = () => import('#controllers/web/home_controller')
const SessionController = () => import('#controllers/web/session_controller')
const StyleguideController = () => import('#controllers/web/styleguide_controller')

/** Routes of pages that everybody may look at. Nothing of this runs for the other doors. */
function pages(routes: () => void) {
  return router
    .group(routes)
    .as('web')
    .use([
      middleware.page(),
      middleware.singleValues(),
      middleware.session(),
      middleware.form(),
      middleware.visitor(),
      middleware.shield(),
    ])
}

/** Routes of pages that take a sign-in. */
function ownPages(routes: () => void) {
  pages(() => {
    router.group(routes).use(middleware.signedIn())
  })
}

if (interfaceSettings.web_enabled) {
  router.get('/assets/:hash/*', [AssetsController]).as('web.assets')

  pages(() => {
    router.get('/login', [SessionController, 'create'])
    router.post('/login', [SessionController, 'store'])
    if (!app.inProduction) {
      router.get('/styleguide', [StyleguideController])
    }
  })

  ownPages(() => {
    router.get('/', [HomeController])
    router.post('/logout', [SessionController, 'destroy'])
  })
}
