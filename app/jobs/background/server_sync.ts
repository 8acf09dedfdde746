import { BackendUnavailable } from '#backends/contract/errors'
import type { DnsBackend } from '#backends/contract/backend'
import { synchroniseZones } from '#changes/recovery/sync_server'
import { BackgroundTask, type KeeperLog } from '#jobs/background/task'

/** How often the list of zones is compared with the server's. */
const EVERY_MS = 60_000

/** Zones that a failure names. */
const MOST_NAMED = 5

/** Keeps the list of zones up to date with a server that is reached over its HTTP API. */
export class SyncKeeper extends BackgroundTask {
  constructor(
    private readonly backend: () => DnsBackend,
    logger: KeeperLog
  ) {
    super(logger, {
      first: 0,
      every: EVERY_MS,
      failure: 'The list of zones cannot be synchronised',
    })
  }

  /** One pass over all zones. */
  async step(): Promise<void> {
    const synced = await synchroniseZones(this.backend(), { signal: this.stopping })
    if (synced && synced.unread.length > 0) {
      throw new BackendUnavailable(
        `Zones that changed could not be read: ${synced.unread.slice(0, MOST_NAMED).join(', ')}`
      )
    }
  }
}
