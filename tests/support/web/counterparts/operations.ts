import type { Counterparts } from '#tests/support/web/counterparts/counterpart'

/** A hash that no plan has. */
const NO_PLAN = `sha256:${'0'.repeat(64)}`
const ADDED = { action: 'create', name: 'matrix', type: 'A', content: '192.0.2.99', ttl: 300 }
const aboutWebhook = (path: string, form?: Record<string, string>) => ({
  path: () => `/webhooks/999999${path}`,
  ...(form ? { form: () => form } : {}),
  allowed: 404,
})

/** Review, and the operation of the service. */
export const OPERATIONS_COUNTERPARTS: Counterparts = {
  'GET /api/v2/change-requests': { path: () => '/requests', allowed: 200 },
  'POST /api/v2/zones/:id/change-requests': {
    path: (p) => `/zones/${p.zoneId}/apply`,
    form: () => ({ changes: JSON.stringify([ADDED]), plan_hash: NO_PLAN, review: 'ask' }),
    allowed: 409,
  },
  'POST /api/v2/zones/:id/change-requests (deletion)': {
    path: (p) => `/zones/${p.zoneId}/delete`,
    form: () => ({ tag: 'nobody-has-this-tag', review: 'ask' }),
    allowed: 412,
  },
  'GET /api/v2/change-requests/:id': { path: (p) => `/requests/${p.requestId}`, allowed: 200 },
  'POST /api/v2/change-requests/:id/approve': {
    path: (p) => `/requests/${p.requestId}/approve`,
    form: () => ({ plan_hash: NO_PLAN }),
    allowed: 409,
  },
  'POST /api/v2/change-requests/:id/reject': {
    path: (p) => `/requests/${p.requestId}/reject`,
    form: () => ({ comment: '' }),
    allowed: 422,
  },
  'POST /api/v2/change-requests/:id/rebase': {
    path: (p) => `/requests/${p.requestId}/rebase`,
    form: () => ({}),
    allowed: 303,
  },
  'POST /api/v2/change-requests/:id/comments': {
    path: (p) => `/requests/${p.requestId}/comments`,
    form: () => ({ text: '' }),
    allowed: 422,
  },
  'DELETE /api/v2/change-requests/:id': {
    path: (p) => `/requests/${p.requestId}/cancel`,
    form: () => ({}),
    allowed: 403,
  },
  'GET /api/v2/jobs': { path: () => '/jobs', allowed: 200 },
  'GET /api/v2/jobs/:job/runs': { path: () => '/jobs/audit:prune', allowed: 200 },
  'POST /api/v2/jobs/:job/run': { path: () => '/jobs/none/run', form: () => ({}), allowed: 404 },
  'GET /api/v2/webhooks': { path: () => '/webhooks', allowed: 200 },
  'POST /api/v2/webhooks': {
    path: () => '/webhooks/new',
    form: () => ({ name: 'matrix', url: 'https://192.0.2.1/' }),
    allowed: 422,
  },
  'GET /api/v2/webhooks/:id': aboutWebhook(''),
  'PUT /api/v2/webhooks/:id': aboutWebhook('', {}),
  'DELETE /api/v2/webhooks/:id': aboutWebhook('/delete', {}),
  'GET /api/v2/webhooks/:id/deliveries': aboutWebhook(''),
  'POST /api/v2/webhooks/:id/secret': aboutWebhook('/secret', {}),
  'POST /api/v2/webhooks/:id/test': aboutWebhook('/test', {}),
  'POST /api/v2/webhooks/:id/deliveries/:delivery/replay': aboutWebhook('/deliveries/1/replay', {}),
  'GET /api/v2/audit': { path: () => '/audit', allowed: 200 },
}
