import type { ApplicationService } from '@adonisjs/core/types'
import { BackendManager } from '#backends/manager'
import type { DnsBackend } from '#backends/contract/backend'
import type { BackgroundRunner, TaskDeclaration } from '#background/runner'
import type { Scheduler } from '#background/scheduler/scheduler'
import { InvalidSettingsError } from '#settings/errors'
import { requireSameBackend } from '#providers/backend_provider'

/** Runs background tasks, job scheduler and buffered writers in the web process. Commands run none of them. */
export default class BackgroundProvider {
  #runner: BackgroundRunner | undefined
  #scheduler: Scheduler | undefined

  constructor(protected app: ApplicationService) {}

  /** Called before the HTTP server listens: invalid jobs stop the start. */
  async start() {
    const { default: settings } = await import('#config/scheduler')
    if (this.app.getEnvironment() === 'web' && settings.enabled) {
      const { configuredScheduler } = await import('#background/scheduler/configured')
      this.#scheduler = await configuredScheduler(this.app)
    }
  }

  /** Called when the service is about to serve. */
  async ready() {
    // A signal during the start may have terminated the process.
    if (this.app.getEnvironment() !== 'web' || this.app.isTerminating || this.app.isTerminated) {
      return
    }
    const { BackgroundRunner } = await import('#background/runner')
    this.#runner = new BackgroundRunner(await this.#tasks())
    await this.#runner.start()
  }

  /** Called before the database is closed. */
  async shutdown() {
    await this.#runner?.stop()
    if (this.app.getEnvironment() === 'web') {
      const { flushBufferedWriters } = await import('#support/buffered_writer')
      await flushBufferedWriters()
    }
  }

  /** Imports a task only if it runs. */
  async #tasks(): Promise<TaskDeclaration[]> {
    const logger = await this.app.container.make('logger')
    const backends = await this.app.container.make(BackendManager)
    const backend = () => backends.use()
    const scheduler = this.#scheduler
    return [
      {
        name: 'outbox',
        schedule: { firstRunMs: 10, intervalMs: 5_000 },
        async isEnabled() {
          const { configuredClient } = await import('#backends/powerdns_api/configured')
          return configuredClient().isConfigured
        },
        create: async () => {
          const { createOutboxWorker } = await import('#background/outbox/configured')
          return createOutboxWorker(this.app)
        },
      },
      {
        name: 'audit sealer',
        schedule: { firstRunMs: 2_000, intervalMs: 2_000 },
        async create() {
          const { AuditSealer } = await import('#background/audit_sealer')
          return new AuditSealer(logger)
        },
      },
      {
        name: 'text indexer',
        schedule: { firstRunMs: 2_000, intervalMs: 2_000 },
        async create() {
          const { TextIndexer } = await import('#background/text_indexer')
          return new TextIndexer(logger)
        },
      },
      {
        name: 'zone index sync',
        // Without delay: a new database has no zone rows.
        schedule: { firstRunMs: 0, intervalMs: 1_000 },
        create: async () => {
          const { ZoneIndexSync } = await import('#background/zone_index_sync')
          return new ZoneIndexSync(backend, logger, () => this.#requireSameBackend(backend))
        },
      },
      {
        name: 'sort key builder',
        schedule: { firstRunMs: 2_000, intervalMs: 2_000 },
        async create() {
          const { SortKeyBuilder } = await import('#background/sort_key_builder')
          return new SortKeyBuilder(backend, logger)
        },
      },
      {
        name: 'sort table updater',
        schedule: { firstRunMs: 1_000, intervalMs: 1_000 },
        create: async () => {
          const { SortTableUpdater } = await import('#background/sort_table_updater')
          const { ZoneOrders } = await import('#zones/list/sort_table')
          return new SortTableUpdater(() => this.app.container.make(ZoneOrders), logger)
        },
      },
      {
        name: 'server sync',
        schedule: { firstRunMs: 0, intervalMs: 60_000 },
        async create() {
          const { ServerSync } = await import('#background/server_sync')
          return new ServerSync(backend, logger)
        },
      },
      {
        name: 'user sort keys',
        schedule: { firstRunMs: 0, intervalMs: 60_000 },
        async create() {
          const { UserSortKeys } = await import('#background/user_sort_keys')
          return new UserSortKeys(logger)
        },
      },
      {
        name: 'job scheduler',
        // It runs again as soon as the next job is due.
        schedule: { firstRunMs: 20, intervalMs: 5_000 },
        isEnabled: () => scheduler !== undefined,
        create: async () => scheduler!,
      },
      {
        name: 'webhook sender',
        schedule: { firstRunMs: 2_000, intervalMs: 2_000 },
        async create() {
          const { WebhookSender } = await import('#background/webhook_sender')
          return new WebhookSender(logger)
        },
      },
      {
        name: 'mail about change requests',
        schedule: { firstRunMs: 10, intervalMs: 5_000 },
        async isEnabled() {
          const { sendsNotifications } = await import('#changes/requests/notifications')
          return sendsNotifications()
        },
        async create() {
          const { OutboxWorker } = await import('#background/outbox/worker')
          const { notificationDeliveries } = await import('#review/notification_mail')
          return new OutboxWorker(notificationDeliveries(backend), logger)
        },
      },
    ]
  }

  /** Ends the process if the zones belong to another backend, which it could not check while the database was down. */
  async #requireSameBackend(backend: () => DnsBackend): Promise<void> {
    // Throws if the backend lacks settings, because it then has no zones.
    backend()
    try {
      await requireSameBackend(this.app)
    } catch (error) {
      if (error instanceof InvalidSettingsError) {
        const logger = await this.app.container.make('logger')
        logger.fatal(error.message)
        process.exitCode = 1
        process.kill(process.pid, 'SIGTERM')
      }
      throw error
    }
  }
}
