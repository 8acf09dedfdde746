import type { BackendZone } from '#backends/contract/backend'
import type { ZoneWrite } from '#changes/transaction/zone_transaction'
import type { Metadata } from '#dns/metadata/metadata'

/** The metadata of the zone of these kinds. */
export async function readMetadataKinds(
  { session }: Pick<ZoneWrite, 'session'>,
  zone: BackendZone,
  kinds: readonly string[] = []
): Promise<Metadata> {
  const metadata = kinds.length > 0 ? await session.metadataOf(zone) : {}
  return Object.fromEntries(
    kinds.flatMap((kind) => (metadata[kind] ? [[kind, metadata[kind]]] : []))
  )
}

/** Writes the kinds again that are missing. Returns whether there were any. */
export async function restoreMetadata(
  write: Pick<ZoneWrite, 'session'>,
  zone: BackendZone,
  snapshot: Metadata
): Promise<boolean> {
  const presentMetadata = await readMetadataKinds(write, zone, Object.keys(snapshot))
  const missingKinds = Object.entries(snapshot).filter(([kind]) => !presentMetadata[kind])
  if (missingKinds.length > 0) {
    await write.session.writeMetadata(zone, Object.fromEntries(missingKinds))
  }
  return missingKinds.length > 0
}
