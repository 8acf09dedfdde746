import type { DnsBackend } from '#backends/contract/backend'
import type { PowerDnsClient } from '#backends/powerdns_api/client'
import { hasNotifiedReplicas } from '#backends/contract/zone_kinds'
import type { OutboxRow } from '#background/outbox/store'

/**
 * Delivers an event. It can be called twice for one event, and one call stands for all events of the kind and zone that
 * existed when it began. Throws `BackendUnavailable` to be called again later.
 */
export type Delivery = (event: OutboxRow, signal: AbortSignal) => Promise<void>

/** How to deliver each kind; events of other kinds wait. */
export type Deliveries = Partial<Record<OutboxRow['kind'], Delivery>>

/** Deliveries to the PowerDNS server that serves the zones of the backend. */
export function powerDnsDeliveries(
  client: Pick<PowerDnsClient, 'forgetMetadata' | 'flushCache' | 'notify'>,
  backend: () => Pick<DnsBackend, 'findZoneByName'>
): Deliveries {
  return {
    forget: (event, signal) => client.forgetMetadata(event.zone_name, { signal }),

    flush: (event, signal) => client.flushCache(event.zone_name, { signal }),

    async notify(event, signal) {
      // The zone may be deleted, or be a replica.
      const zone = await backend().findZoneByName(event.zone_name)
      if (zone && hasNotifiedReplicas(zone)) {
        await client.notify(event.zone_name, { signal })
      }
    },
  }
}
