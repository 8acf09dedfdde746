import router from '@adonisjs/core/services/router'
import { signedInPages } from '#start/web/sign_in'

const RequestsController = () => import('#controllers/web/review/requests_controller')

/** Change requests. */
export function reviewPages(): void {
  signedInPages(() => {
    router.get('/requests', [RequestsController, 'index'])
    router.get('/requests/:id', [RequestsController, 'show'])
    router.post('/requests/:id/approve', [RequestsController, 'approve'])
    router.post('/requests/:id/reject', [RequestsController, 'reject'])
    router.post('/requests/:id/rebase', [RequestsController, 'rebase'])
    router.post('/requests/:id/cancel', [RequestsController, 'cancel'])
    router.post('/requests/:id/comments', [RequestsController, 'comment'])
  })
}
