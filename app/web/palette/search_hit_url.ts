import { presentContent } from '#dns/records/registry'
import type { SearchHit } from '#zones/search/hit'

/** Maximum characters of a content in a URL. */
const MAX_CONTENT = 200

/** The page of a search result; for a record its zone, filtered to it. */
export function hitAddress(hit: SearchHit): string {
  const { zoneId, kind, name, zoneName, type, text } = hit
  const isOfZone = kind === 'zone' || (type === null && name === zoneName)
  if (isOfZone) {
    return `/zones/${zoneId}`
  }
  const query = new URLSearchParams({ name })
  if (type !== null) query.set('type', type)
  if (kind === 'record' && type !== null && text) {
    query.set('content', presentContent(type, text).slice(0, MAX_CONTENT).trimEnd())
  }
  return `/zones/${zoneId}?${query.toString()}`
}
