import { MAX_DETAIL, MAX_TEXT } from '#audit/detail'
import type { AuditEvent } from '#audit/event'
import type { StrayRecord } from '#backends/contract/inspection'

/** Maximum length of the content in the JSON detail, which also has other members. */
const MAX_CONTENT = MAX_DETAIL - 2_000

/**
 * Audit events for a deleted record that no journal contains. The content is stored completely, in
 * several events if it is very long.
 */
export function strayEvents(stray: StrayRecord): AuditEvent[] {
  const { id, domainId, name, type, ttl, priority, disabled, content } = stray
  const parts = content === null ? [null] : partsOf(content)
  const detail = { id, domain_id: domainId, name, type, ttl, priority, disabled }
  return parts.map((part, index) => ({
    action: 'records.strays_removed',
    detail: {
      ...detail,
      content: part,
      ...(parts.length > 1 ? { part: index + 1, parts: parts.length } : {}),
    },
  }))
}

/** Splits the content into pieces, grouped by event. */
function partsOf(content: string): string[][] {
  const parts: string[][] = [[]]
  let length = 0
  for (const piece of piecesOf(content)) {
    const size = JSON.stringify(piece).length + 1
    if (length + size > MAX_CONTENT) {
      parts.push([])
      length = 0
    }
    parts.at(-1)!.push(piece)
    length += size
  }
  return parts
}

/** Splits the text at the limit of an audit value, between code points. */
function piecesOf(text: string): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const character of text) {
    if (piece.length + character.length > MAX_TEXT) {
      pieces.push(piece)
      piece = ''
    }
    piece += character
  }
  return [...pieces, piece]
}
