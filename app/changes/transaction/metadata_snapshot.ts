import type { BackendZone } from '#backends/contract/backend'
import type { ZoneWrite } from '#changes/transaction/zone_transaction'
import type { Metadata } from '#dns/metadata/metadata'

/** The metadata of the zone of these kinds. */
export async function metadataAmong(
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
  const left = await metadataAmong(write, zone, Object.keys(snapshot))
  const gone = Object.entries(snapshot).filter(([kind]) => !left[kind])
  if (gone.length > 0) {
    await write.session.writeMetadata(zone, Object.fromEntries(gone))
  }
  return gone.length > 0
}
