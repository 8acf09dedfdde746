import router from '@adonisjs/core/services/router'
import { pages } from '#start/web/sign_in'

const FirstRunController = () => import('#controllers/web/session/first_run_controller')

/** The first administrator. */
export function firstRunPages(): void {
  pages(() => {
    router.get('/setup', [FirstRunController, 'create'])
    router.post('/setup', [FirstRunController, 'store'])
  })
}
