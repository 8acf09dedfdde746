import router from '@adonisjs/core/services/router'
import { signedInPages } from '#start/web/sign_in'

const AuditController = () => import('#controllers/web/server/audit_controller')
const JobsController = () => import('#controllers/web/server/jobs_controller')
const OutboxController = () => import('#controllers/web/server/outbox_controller')
const SettingsController = () => import('#controllers/web/server/settings_controller')
const WebhooksController = () => import('#controllers/web/server/webhooks_controller')

/** Operation of the service: jobs, outbox, webhooks, audit log, settings. */
export function operationsPages(): void {
  signedInPages(() => {
    router.get('/jobs', [JobsController, 'index'])
    router.get('/jobs/:job', [JobsController, 'show'])
    router.post('/jobs/:job/run', [JobsController, 'run'])

    router.get('/outbox', [OutboxController, 'index'])
    router.post('/outbox/retry', [OutboxController, 'retry'])

    router.get('/webhooks', [WebhooksController, 'index'])
    router.get('/webhooks/new', [WebhooksController, 'create'])
    router.post('/webhooks/new', [WebhooksController, 'store'])
    router.get('/webhooks/:id', [WebhooksController, 'show'])
    router.post('/webhooks/:id', [WebhooksController, 'update'])
    router.post('/webhooks/:id/delete', [WebhooksController, 'destroy'])
    router.post('/webhooks/:id/test', [WebhooksController, 'test'])
    router.post('/webhooks/:id/secret', [WebhooksController, 'secret'])
    router
      .post('/webhooks/:id/deliveries/:delivery/replay', [WebhooksController, 'replay'])
      .where('delivery', /^[1-9]\d*$/)

    router.get('/audit', [AuditController, 'index'])
    router.get('/audit/export', [AuditController, 'export'])
    router.get('/audit/verify', [AuditController, 'verify'])
    // Without stored results: each part would be verified twice, and its pages would replace those of other forms.
    router.post('/audit/verify', [AuditController, 'check'])
    router.get('/audit/:id', [AuditController, 'show'])

    router.get('/settings', [SettingsController])
  })
}
