import { MAX_DETAIL, MAX_TEXT } from '#audit/detail'
import type { AuditEvent } from '#audit/event'
import type { StrayRecord } from '#backends/contract/inspection'

/** Characters that the content may take of a detail as JSON; the rest is for the other members. */
const MOST_CONTENT = MAX_DETAIL - 2_000

/**
 * What the audit log keeps of a record that is deleted and that no journal knows: all that it was, its content in
 * pieces that are not cut. One event, or several where the content is very long.
 */
export function strayEvents(stray: StrayRecord): AuditEvent[] {
  const { id, domainId, name, type, ttl, priority, disabled, content } = stray
  const parts = content === null ? [null] : partsOf(content)
  const told = { id, domain_id: domainId, name, type, ttl, priority, disabled }
  return parts.map((part, index) => ({
    action: 'records.strays_removed',
    detail: {
      ...told,
      content: part,
      ...(parts.length > 1 ? { part: index + 1, parts: parts.length } : {}),
    },
  }))
}

/** The pieces of a content, by the events that hold them. */
function partsOf(content: string): string[][] {
  const parts: string[][] = [[]]
  let length = 0
  for (const piece of piecesOf(content)) {
    const size = JSON.stringify(piece).length + 1
    if (length + size > MOST_CONTENT) {
      parts.push([])
      length = 0
    }
    parts.at(-1)!.push(piece)
    length += size
  }
  return parts
}

/** The text in pieces that an event keeps whole; no character is parted. */
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
