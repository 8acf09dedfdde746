import type { SearchHit } from '#zones/search/hit'
import type { ZoneSummary } from '#zones/list/summaries'
import { displayName, shownOwner, type DisplayName } from '#web/page/display_name'

/** Maximum of named owners of a row; more are counted. */
const MAX_OWNERS = 3
/** Characters of a content that a row shows. */
const MAX_TEXT_CHARACTERS = 160

/** A row of the list of zones. */
export interface ZoneRow {
  id: number
  name: DisplayName
  type: string
  records: number | null
  serial: string | null
  signing: ZoneSummary['signing']
  changed: { time: string; username: string } | null
  owners: { names: string[]; more: number } | null
  /** Matches of the search, one per line. */
  hits: string
}

/** A row of the zone list. */
export function zoneRow(zone: ZoneSummary, hits: SearchHit[] = []): ZoneRow {
  const { id, name, type, records, serial, signing, lastChange, owners } = zone
  const names = owners && [...owners.users, ...owners.groups].map((owner) => owner.name)
  return {
    id,
    name: displayName(name),
    type,
    records,
    // A number that is read, and not reckoned with: without marks between its digits.
    serial: serial === null ? null : String(serial),
    signing,
    changed: lastChange && { time: lastChange.time, username: lastChange.username },
    owners: names && {
      names: names.slice(0, MAX_OWNERS),
      more: Math.max(0, names.length - MAX_OWNERS),
    },
    hits: hits.flatMap((hit) => (hit.kind === 'zone' ? [] : [hitLine(hit, name)])).join('\n'),
  }
}

function hitLine({ name, type, text }: SearchHit, apex: string): string {
  const short =
    text !== null && text.length > MAX_TEXT_CHARACTERS
      ? `${text.slice(0, MAX_TEXT_CHARACTERS)}…`
      : text
  return [shownOwner(name, apex).text, type, short?.replace(/\s+/gu, ' ')].filter(Boolean).join(' ')
}
