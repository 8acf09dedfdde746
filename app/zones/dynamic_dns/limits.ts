import dyndns from '#config/dyndns'
import { ExpiringCounts } from '#database/counters'
import { clientNetwork } from '#dns/addresses/networks'
import { Refusal } from '#exceptions/refusal'

const counts = new ExpiringCounts<{ subject: string }>({
  name: 'zw_dyndns_limits',
  key: ['subject'],
  count: 'changes',
  isProlonged: false,
  purgeMinutes: 5,
  what: 'counters of dynamic DNS',
})

/** A host or a client address exceeds the limit of changes in the settings. */
export class TooManyChanges extends Refusal {
  constructor() {
    super(429, 'Too many dynamic DNS changes (dyndns.changes_per_host, changes_per_address)')
  }
}

/**
 * Counts a change for a host and a client address, in the database for all processes. Throws
 * `TooManyChanges` above the limit. Refused changes count too, but do not extend the window.
 */
export async function admitChange(hostname: string, address: string | null): Promise<void> {
  const { changes_per_host: perHost, changes_per_address: perAddress } = dyndns
  const hasHostQuota = await countUpTo(perHost, `host ${hostname}`)
  const alsoFits = address === null || (await countUpTo(perAddress, netOf(address)))
  if (!hasHostQuota || !alsoFits) {
    throw new TooManyChanges()
  }
}

function netOf(address: string): string {
  return `net ${clientNetwork(address)}`
}

/**
 * Increments a counter and returns whether it is within the limit. 0 means no limit and no counter.
 */
async function countUpTo(limit: number, subject: string): Promise<boolean> {
  if (limit === 0) {
    return true
  }
  await counts.add({ subject }, dyndns.limit_window)
  return (await counts.readCount({ subject })) <= limit
}
