import { parseStrings, printStrings } from '#dns/rdata/character_strings'
import { recordType } from '#dns/records/registry'
import { TEXT_TYPES } from '#dns/zonefile/name_fields'
import { printRdata } from '#dns/zonefile/reading/rdata'
import { recordFromRow } from '#backends/sql/rows'
import type { RecordData, RRsetKey } from '#dns/types'

const STRING_LIMIT = 255

/**
 * The content for PowerDNS' HTTP API: with the priority in front, final dots of names, and long strings split. An invalid
 * content is unchanged: the server reports the error.
 */
export function toServer(type: string, { content, priority }: RecordData): string {
  try {
    return printRdata(type, content, priority, { isStored: true }).text
  } catch {
    return recordType(type)?.priority ? `${priority} ${content}` : content
  }
}

/** A content of that API as the product has it: canonical where the type is known and the content well formed. */
export function fromServer(
  { name, type }: RRsetKey,
  { content, disabled }: { content: string; disabled: boolean },
  apex: string
): RecordData {
  const inFront = recordType(type)?.priority ? /^(\d{1,5})[ \t]+(\S.*)$/.exec(content) : null
  const { content: text, priority } = recordFromRow(
    {
      id: 0,
      name,
      type,
      ...(inFront && (type === 'MX' || type === 'SRV')
        ? { content: inFront[2], prio: Number(inFront[1]) }
        : { content: TEXT_TYPES.has(type) ? joined(content) : content, prio: 0 }),
      ttl: 0,
      disabled,
      ordername: null,
      auth: true,
    },
    apex
  )
  return { content: text, priority: priority ?? 0, disabled }
}

/** The pieces of a string that was too long to be sent in one, as one again. */
function joined(content: string): string {
  if (content.length <= STRING_LIMIT) {
    return content
  }
  try {
    const strings = parseStrings(content)
    const [last] = strings.slice(-1)
    const arePieces =
      strings.length > 1 &&
      last.length > 0 &&
      strings.slice(0, -1).every(({ length }) => length === STRING_LIMIT)
    return arePieces ? printStrings([Uint8Array.from(Buffer.concat(strings))]) : content
  } catch {
    return content
  }
}
