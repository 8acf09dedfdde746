import type { Operation, Operations } from '#openapi/operation'
import { WRITE_BODY } from '#openapi/operations/write_body'
import { list, named, object, text } from '#openapi/schema'
import { createWebhookValidator, updateWebhookValidator } from '#validators/webhook'

const ADMINISTRATOR = '`user_is_ueberuser`'
const PAGE: Operation['parameters'] = [
  {
    name: 'page',
    in: 'query',
    description: 'Number of the page, from 1.',
    schema: { type: 'integer' },
  },
  {
    name: 'per_page',
    in: 'query',
    description: 'Number of rows on a page.',
    schema: { type: 'integer' },
  },
]

const STREAM = [
  'id: 4712',
  'event: zone.changed',
  'data: {"id":4712,"type":"zone.changed","time":"2026-11-22T07:25:10.012Z","zone_id":41}',
  '',
  '',
].join('\n')

function query(name: string, description: string, type: 'string' | 'integer' = 'string') {
  return { name, in: 'query' as const, description, schema: { type } }
}

/** Events, webhooks, jobs and the state of the service. */
export const SERVICE_OPERATIONS: Operations = {
  'GET /events': {
    tag: 'Events',
    summary: 'Stream events',
    description:
      'Sends the events that the caller may see as server-sent events (docs/reference/events.md).',
    parameters: [
      query(
        'types',
        'Only events of these types. The value has types or their first words, separated by commas.'
      ),
      query('zone_id', 'Only events of this zone.', 'integer'),
      query('last_event_id', 'Same as the header `Last-Event-ID`.', 'integer'),
      query('follow', '`false`: the stream ends after the stored events.'),
      {
        name: 'Last-Event-ID',
        in: 'header',
        description: 'The stream continues after this event.',
        schema: { type: 'integer' },
      },
    ],
    answers: {},
    otherAnswers: { 200: { 'text/event-stream': { example: STREAM } } },
  },

  'GET /webhooks': {
    tag: 'Events',
    summary: 'List webhooks',
    needs: ADMINISTRATOR,
    answers: { 200: object({ webhooks: list(named('Webhook')) }) },
  },
  'POST /webhooks': {
    tag: 'Events',
    summary: 'Create a webhook',
    description: 'Only this answer contains the secret.',
    needs: ADMINISTRATOR,
    body: {
      validator: createWebhookValidator,
      example: { name: 'ticket system', url: 'https://hooks.example.net/dns', types: ['zone'] },
    },
    answers: { 201: object({ webhook: named('Webhook'), secret: text('whsec_5fRJ') }) },
  },
  'GET /webhooks/{id}': {
    tag: 'Events',
    summary: 'Show a webhook',
    needs: ADMINISTRATOR,
    answers: { 200: object({ webhook: named('Webhook') }) },
  },
  'PUT /webhooks/{id}': {
    tag: 'Events',
    summary: 'Edit a webhook',
    needs: ADMINISTRATOR,
    body: { validator: updateWebhookValidator, example: { enabled: false } },
    answers: { 200: object({ webhook: named('Webhook') }) },
  },
  'DELETE /webhooks/{id}': {
    tag: 'Events',
    summary: 'Delete a webhook',
    description: 'Pending deliveries are deleted too.',
    needs: ADMINISTRATOR,
    body: WRITE_BODY,
    answers: { 204: null },
  },
  'POST /webhooks/{id}/secret': {
    tag: 'Events',
    summary: 'Replace the secret of a webhook',
    description: 'Only this answer contains the new secret. The old secret is invalid immediately.',
    needs: ADMINISTRATOR,
    body: WRITE_BODY,
    answers: { 200: object({ secret: text('whsec_5fRJ') }) },
  },
  'POST /webhooks/{id}/test': {
    tag: 'Events',
    summary: 'Test a webhook',
    description:
      'Creates an event `webhook.tested`. The webhook receives this event, regardless of its types. For a disabled webhook, the answer is 409.',
    needs: ADMINISTRATOR,
    body: WRITE_BODY,
    answers: { 202: { type: 'null' } },
    refusals: { 409: 'The webhook is disabled.' },
  },
  'GET /webhooks/{id}/deliveries': {
    tag: 'Events',
    summary: 'List the deliveries of a webhook',
    description: 'Lists the newest event first.',
    needs: ADMINISTRATOR,
    isPaged: true,
    parameters: PAGE,
    answers: { 200: object({ deliveries: list(named('WebhookDelivery')) }) },
  },
  'POST /webhooks/{id}/deliveries/{delivery}/replay': {
    tag: 'Events',
    summary: 'Repeat a delivery',
    needs: ADMINISTRATOR,
    body: WRITE_BODY,
    answers: { 202: object({ delivery: named('WebhookDelivery') }) },
  },

  'GET /jobs': {
    tag: 'Jobs',
    summary: 'List jobs',
    needs: ADMINISTRATOR,
    answers: { 200: object({ jobs: list(named('Job')) }) },
  },
  'GET /jobs/{job}/runs': {
    tag: 'Jobs',
    summary: 'List the runs of a job',
    description: 'Lists the newest run first.',
    needs: ADMINISTRATOR,
    isPaged: true,
    parameters: PAGE,
    answers: { 200: object({ runs: list(named('JobRun')) }) },
  },
  'POST /jobs/{job}/run': {
    tag: 'Jobs',
    summary: 'Request a run of a job',
    description: 'A scheduler starts the run at its next check.',
    needs: ADMINISTRATOR,
    body: WRITE_BODY,
    answers: { 202: object({ run: named('JobRun') }) },
  },
}
