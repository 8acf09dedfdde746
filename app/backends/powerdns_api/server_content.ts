import { parseStrings, printStrings } from '#dns/rdata/character_strings'
import { recordType } from '#dns/records/registry'
import { TEXT_TYPES } from '#dns/zonefile/name_fields'
import { printRdata } from '#dns/zonefile/reading/rdata'
import { recordFromRow } from '#backends/sql/rows'
import type { RecordData, RRsetKey } from '#dns/types'

const MAX_STRING_BYTES = 255

/**
 * The content for PowerDNS' HTTP API: with the priority in front, final dots of names, and long strings split. An invalid
 * content is unchanged: the server reports the error.
 */
export function toServerContent(type: string, { content, priority }: RecordData): string {
  try {
    return printRdata(type, content, priority, { isStored: true }).text
  } catch {
    return recordType(type)?.priority ? `${priority} ${content}` : content
  }
}

/** Converts a content of the API; canonical if the type is known and the content is valid. */
export function fromServerContent(
  { name, type }: RRsetKey,
  { content, disabled }: { content: string; disabled: boolean },
  apex: string
): RecordData {
  const priorityMatch = recordType(type)?.priority ? /^(\d{1,5})[ \t]+(\S.*)$/.exec(content) : null
  const { content: text, priority } = recordFromRow(
    {
      id: 0,
      name,
      type,
      ...(priorityMatch && (type === 'MX' || type === 'SRV')
        ? { content: priorityMatch[2], prio: Number(priorityMatch[1]) }
        : { content: TEXT_TYPES.has(type) ? joinStrings(content) : content, prio: 0 }),
      ttl: 0,
      disabled,
      ordername: null,
      auth: true,
    },
    apex
  )
  return { content: text, priority: priority ?? 0, disabled }
}

/** Joins the parts of a long string that was split for the API. */
function joinStrings(content: string): string {
  if (content.length <= MAX_STRING_BYTES) {
    return content
  }
  try {
    const strings = parseStrings(content)
    const [last] = strings.slice(-1)
    const arePieces =
      strings.length > 1 &&
      last.length > 0 &&
      strings.slice(0, -1).every(({ length }) => length === MAX_STRING_BYTES)
    return arePieces ? printStrings([Uint8Array.from(Buffer.concat(strings))]) : content
  } catch {
    return content
  }
}
