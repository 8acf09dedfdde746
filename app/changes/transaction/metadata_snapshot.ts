import type { BackendZone } from '#backends/contract/backend'
import type { ZoneWrite } from '#changes/transaction/zone_transaction'
import type { Metadata } from '#dns/metadata/metadata'

/** The metadata of these kinds that the zone has. */
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

/** Writes back what is gone of it. Answers whether there was something. */
export async function restoreMetadata(
  write: Pick<ZoneWrite, 'session'>,
  zone: BackendZone,
  kept: Metadata
): Promise<boolean> {
  const left = await metadataAmong(write, zone, Object.keys(kept))
  const gone = Object.entries(kept).filter(([kind]) => !left[kind])
  if (gone.length > 0) {
    await write.session.writeMetadata(zone, Object.fromEntries(gone))
  }
  return gone.length > 0
}
