import type { DnsBackend } from '#backends/contract'
import { synchroniseZones } from '#changes/zone_synchronisation'
import { Keeper, type KeeperLog } from '#jobs/keeper'

/** How often the list of zones is compared with the server's. */
const EVERY_MS = 60_000

/** Keeps the list of zones up to date with a server that is reached over its HTTP API. */
export class SyncKeeper extends Keeper {
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
    await synchroniseZones(this.backend())
  }
}
