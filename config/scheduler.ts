import approval from '#config/approval'
import dns from '#settings/dns'
import { CRON_FORMS, parseCron } from '#background/scheduler/cron'
import type { JobDeclaration } from '#background/scheduler/declaration'
import { isTimezone } from '#background/scheduler/due_times'
import { defineSettings, setting } from '#settings/define'

/** When a job is due, or `off`. */
function cron(fallback: string, what: string) {
  return setting.string(
    fallback,
    {
      isText: (text) => text === 'off' || parseCron(text) !== null,
      says: `a cron expression, or off: ${CRON_FORMS}`,
    },
    `When the job ${what}.`
  )
}

const scheduler = defineSettings('scheduler', {
  enabled: setting.boolean(
    true,
    'Whether the service runs jobs when they are due. Any number of nodes may: each due run happens once. Off where node ace scheduler:run runs as a process of its own.'
  ),
  timezone: setting.string(
    'UTC',
    { isText: isTimezone, says: 'the name of an IANA time zone, such as Europe/Berlin' },
    'The time zone of the cron expressions.'
  ),
  lease_seconds: setting.integer(
    30,
    { min: 3, max: 600, unit: 'seconds' },
    'After so long without a sign of life of the node that runs it, a job is given up as lost and may run elsewhere.'
  ),
  max_runs: setting.integer(
    500,
    { min: 1, max: 100_000, unit: 'runs' },
    'How many runs of each job the history keeps.'
  ),
  cron: {
    zones_rectify_check: cron(
      '17 4 * * *',
      'zones:rectify-check finds and repairs signed zones that other tools wrote'
    ),
    history_prune: cron('41 3 * * *', 'history:prune removes old entries of the history'),
    audit_prune: cron('23 * * * *', 'audit:prune removes old events of the audit log'),
    api_keys_expire: cron(
      '7 * * * *',
      'api-keys:expire disables API keys that expired or were not used for too long'
    ),
    sessions_prune: cron(
      '37 * * * *',
      'sessions:prune removes sessions of the web interface that have ended'
    ),
    outbox_work: cron('*/10 * * * *', 'outbox:work tells the DNS server what is overdue'),
    change_requests_sweep: cron(
      '*/10 * * * *',
      'change-requests:sweep looks after requests, where `approval.enabled` is on'
    ),
    zones_sync: cron(
      '*/5 * * * *',
      'zones:sync compares the list of zones with the server, where `dns.backend` is not `sql`'
    ),
  },
})

export default scheduler

const MINUTE = 60
const HOUR = 60 * MINUTE

/**
 * Every job: an Ace command of commands/, when it is due, how long it may take, and by how much its runs are spread.
 * A new one needs a setting of its time above, and nothing else.
 */
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
  // Where there is nothing to look after, nothing is started.
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
