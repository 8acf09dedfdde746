import { presentContent } from '#dns/records/registry'
import type { SearchHit } from '#zones/search/hit'
import { shownRecordId } from '#transformers/record_id'

/** A search result. */
export function searchResult(hit: SearchHit) {
  const isRecord = hit.kind === 'record' && hit.type !== null && hit.text !== null
  return {
    kind: hit.kind,
    zone_id: hit.zoneId,
    zone_name: hit.zoneName,
    record_id: shownRecordId(hit.recordId),
    name: hit.name,
    type: hit.type,
    content: isRecord ? presentContent(hit.type!, hit.text!) : hit.text,
    score: hit.score,
  }
}
