import router from '@adonisjs/core/services/router'
import { ownPages } from '#start/web/sign_in'

const LiveController = () => import('#controllers/web/home/live_controller')

/** What happens, as it happens. */
export function livePages(): void {
  ownPages(() => {
    router.get('/live', [LiveController, 'stream'])
  })
}
