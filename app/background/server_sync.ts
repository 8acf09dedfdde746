import { BackendUnavailable } from '#backends/contract/errors'
import type { DnsBackend } from '#backends/contract/backend'
import { synchroniseZones } from '#changes/recovery/sync_server'
import { BackgroundTask, type BackgroundLog } from '#background/task'

/** Maximum number of zones in the log line of a failure. */
const MAX_NAMED_ZONES = 5

/** Synchronises the list of zones with the PowerDNS API. */
export class ServerSync extends BackgroundTask {
  constructor(
    private readonly backend: () => DnsBackend,
    logger: BackgroundLog
  ) {
    super(logger, 'Synchronisation of the zone list failed')
  }

  /** One pass over all zones; fails if a changed zone cannot be read. */
  async runOnce(): Promise<void> {
    const synced = await synchroniseZones(this.backend(), { signal: this.stopping })
    if (synced && synced.unread.length > 0) {
      throw new BackendUnavailable(
        `Changed zones could not be read: ${synced.unread.slice(0, MAX_NAMED_ZONES).join(', ')}`
      )
    }
  }
}
