import type { ZoneServer } from '#backends/mirrored/zone_server'
import type { PowerDnsClient } from '#backends/powerdns_api/client'
import { StepExecutor } from '#backends/powerdns_api/http/http_client'
import { ServerZones } from '#backends/powerdns_api/server_zones'
import { metadataKind } from '#dns/metadata/metadata'

/** A PowerDNS server by its HTTP API, for `MirroredBackend`. */
export function powerDnsServer(client: PowerDnsClient): ZoneServer {
  const zones = new ServerZones(client)
  const sender = new StepExecutor(client, zones)
  return {
    movesSerials: true,
    takesMetadata: (kind) => metadataKind(kind).overApi !== 'none',
    list: () => zones.list(),
    zone: (name) => zones.zone(name),
    facts: (name) => zones.facts(name),
    metadata: (name) => zones.metadata(name),
    keys: (name) => zones.keys(name),
    executeStep: (step) => sender.executeStep(step),
    undo: (step) => sender.undo(step),
  }
}
