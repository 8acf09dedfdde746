import router from '@adonisjs/core/services/router'
import { ownPages } from '#start/web/doors'

const LiveController = () => import('#controllers/web/live_controller')

/** What happens, as it happens. */
export function livePages(): void {
  ownPages(() => {
    router.get('/live', [LiveController, 'stream'])
  })
}
