import {
  flag,
  list,
  timestamp,
  named,
  object,
  orNull,
  text,
  wholeNumberSchema,
  word,
  type JsonSchema,
} from '#openapi/schema'

const OUTCOMES = ['succeeded', 'queued', 'running', 'failed', 'timed_out', 'stopped', 'lost']

const run = object({
  id: wholeNumberSchema(12),
  job: text('audit:prune'),
  due_at: timestamp(),
  cause: word(['schedule', 'catch-up', 'retry', 'manual']),
  missed: wholeNumberSchema(0, 'Number of earlier due times that this run replaces.'),
  outcome: word(OUTCOMES),
  node: orNull(text('dns1:4711')),
  requested_by: orNull(text('admin')),
  started_at: orNull(timestamp()),
  ended_at: orNull(timestamp()),
  exit_code: orNull(wholeNumberSchema(0)),
  output: orNull(text('Removed 0 events', 'Last lines of the output.')),
})

/** Objects of the service: jobs and webhooks. */
export const SERVICE_OBJECTS: Record<string, JsonSchema> = {
  JobRun: run,

  Job: object({
    name: text('audit:prune'),
    command: text('audit:prune --by-settings'),
    cron: orNull(text('23 * * * *')),
    timezone: text('UTC'),
    enabled: flag(true, 'Whether the job runs on a schedule.'),
    timeout_seconds: wholeNumberSchema(1_800),
    next_run_at: orNull(timestamp()),
    failures: wholeNumberSchema(0, 'Number of consecutive failures.'),
    last_run: orNull(run),
  }),

  Webhook: object({
    id: wholeNumberSchema(1),
    name: text('ticket system'),
    url: text('https://hooks.example.net/dns'),
    types: list(text('zone'), 'Types of events, or their first words. Empty: all types.'),
    enabled: flag(true),
    waiting: wholeNumberSchema(0, 'Number of events with a pending delivery.'),
    failures: wholeNumberSchema(0, 'Number of consecutive failed attempts.'),
    retry_at: orNull(timestamp()),
    last_error: orNull(text('The call failed: ECONNREFUSED')),
    created_at: timestamp(),
    created_by: orNull(text('admin')),
  }),

  Event: object(
    {
      id: wholeNumberSchema(4712, 'Position of the event in the audit log.'),
      type: text('zone.changed'),
      time: timestamp(),
      zone_id: orNull(wholeNumberSchema(41)),
      zone_name: orNull(text('alpha.example')),
      entry: orNull(wholeNumberSchema(17, 'Number of the entry in the history of the zone.')),
      actor: orNull(named('EventActor')),
    },
    {
      object: orNull(
        object({
          kind: orNull(text('zone')),
          id: orNull(wholeNumberSchema(41)),
          name: orNull(text('alpha.example')),
        })
      ),
      detail: { examples: [{ entry: 17 }] },
    }
  ),

  WebhookDelivery: object({
    id: wholeNumberSchema(3),
    event_id: wholeNumberSchema(4712),
    type: text('zone.changed'),
    zone_id: orNull(wholeNumberSchema(41)),
    state: word(['waiting', 'delivered', 'given_up']),
    attempts: wholeNumberSchema(1),
    status: orNull(wholeNumberSchema(200)),
    error: orNull(text('Answered with 500')),
    milliseconds: orNull(wholeNumberSchema(35)),
    created_at: timestamp(),
    next_at: orNull(timestamp()),
    ended_at: orNull(timestamp()),
    body: named('Event'),
  }),
}
