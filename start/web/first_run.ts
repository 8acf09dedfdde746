import router from '@adonisjs/core/services/router'
import { pages } from '#start/web/doors'

const FirstRunController = () => import('#controllers/web/first_run_controller')

/** The first administrator. */
export function firstRunPages(): void {
  pages(() => {
    router.get('/setup', [FirstRunController, 'create'])
    router.post('/setup', [FirstRunController, 'store'])
  })
}
