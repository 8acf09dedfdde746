import approval from '#config/approval'
import dns from '#settings/dns'
import { CRON_FORMS, parseCron } from '#background/scheduler/cron'
import type { JobDeclaration } from '#background/scheduler/declaration'
import { isTimezone } from '#background/scheduler/due_times'
import { defineSettings, setting } from '#settings/define'

/** Schedule of a job, or `off`. */
function cron(fallback: string, what: string) {
  return setting.string(
    fallback,
    {
      isText: (text) => text === 'off' || parseCron(text) !== null,
      says: `a cron expression, or off: ${CRON_FORMS}`,
    },
    `Schedule of the job ${what}.`
  )
}

const scheduler = defineSettings('scheduler', {
  enabled: setting.boolean(
    true,
    'Runs jobs in the web service when they are due. Any number of nodes can do so: each due run is executed once. Disable it if node ace scheduler:run is a separate process.'
  ),
  timezone: setting.string(
    'UTC',
    { isText: isTimezone, says: 'the name of an IANA time zone, such as Europe/Berlin' },
    'Time zone of the cron expressions.'
  ),
  lease_seconds: setting.integer(
    30,
    { min: 3, max: 600, unit: 'seconds' },
    'Time without a heartbeat of its node after which a job counts as lost and can run elsewhere.'
  ),
  max_runs: setting.integer(
    500,
    { min: 1, max: 100_000, unit: 'runs' },
    'Maximum number of runs of each job in the history.'
  ),
  cron: {
    zones_rectify_check: cron(
      '17 4 * * *',
      'zones:rectify-check, which rectifies signed zones that other tools changed'
    ),
    history_prune: cron('41 3 * * *', 'history:prune, which deletes old history entries'),
    audit_prune: cron('23 * * * *', 'audit:prune, which deletes old events of the audit log'),
    api_keys_expire: cron(
      '7 * * * *',
      'api-keys:expire, which disables expired and unused API keys'
    ),
    sessions_prune: cron(
      '37 * * * *',
      'sessions:prune, which deletes ended sessions of the web interface'
    ),
    outbox_work: cron('*/10 * * * *', 'outbox:work, which delivers overdue notifications'),
    change_requests_sweep: cron(
      '*/10 * * * *',
      'change-requests:sweep, which applies, expires and deletes change requests, if `approval.enabled` is set'
    ),
    zones_sync: cron(
      '*/5 * * * *',
      'zones:sync, which synchronises the list of zones with the server, unless `dns.backend` is `sql`'
    ),
  },
})

export default scheduler

const MINUTE = 60
const HOUR = 60 * MINUTE

/** The jobs: an Ace command with schedule, timeout and jitter. A new job also needs a setting of its schedule above. */
export const jobs: readonly JobDeclaration[] = [
  {
    command: 'zones:rectify-check',
    cron: scheduler.cron.zones_rectify_check,
    timeoutSeconds: 2 * HOUR,
    jitterSeconds: 15 * MINUTE,
  },
  {
    command: 'history:prune',
    arguments: ['--by-settings'],
    cron: scheduler.cron.history_prune,
    timeoutSeconds: 2 * HOUR,
    jitterSeconds: 15 * MINUTE,
  },
  {
    command: 'audit:prune',
    arguments: ['--by-settings'],
    cron: scheduler.cron.audit_prune,
    timeoutSeconds: 30 * MINUTE,
    jitterSeconds: 5 * MINUTE,
  },
  {
    command: 'api-keys:expire',
    cron: scheduler.cron.api_keys_expire,
    timeoutSeconds: 10 * MINUTE,
    jitterSeconds: 5 * MINUTE,
  },
  {
    command: 'sessions:prune',
    cron: scheduler.cron.sessions_prune,
    timeoutSeconds: 10 * MINUTE,
    jitterSeconds: MINUTE,
  },
  {
    command: 'outbox:work',
    cron: scheduler.cron.outbox_work,
    timeoutSeconds: 5 * MINUTE,
    jitterSeconds: MINUTE,
  },
  // Without change requests, the job is not scheduled.
  ...(approval.enabled
    ? [
        {
          command: 'change-requests:sweep',
          cron: scheduler.cron.change_requests_sweep,
          timeoutSeconds: HOUR,
          jitterSeconds: MINUTE,
        },
      ]
    : []),
  ...(dns.backend !== 'sql'
    ? [
        {
          command: 'zones:sync',
          cron: scheduler.cron.zones_sync,
          timeoutSeconds: HOUR,
          jitterSeconds: MINUTE,
        },
      ]
    : []),
].map((job) => ({ ...job, timezone: scheduler.timezone }))
