import { FileFault } from '#dns/zonefile/reading/faults'
import { tokenEnd } from '#dns/zonefile/reading/scan'
import type { CommentText } from '#dns/types'

/** Starts the line of a disabled record: `;disabled www 300 IN A 192.0.2.1`, directly behind the ";". */
export const DISABLED = 'disabled '
/** Starts the line of a record that could not be written; it is not read back. */
export const INVALID = 'invalid '
/**
 * Stands directly behind the ";" of a text whose strings are the pieces of one that is longer than 255
 * bytes. PowerDNS has such strings, zone files have not; on the wire both are the same.
 */
export const LONG_STRING = 'joined'

/** What `dig` writes, as a comment, where a transfer broke off: the records above are not all of the zone. */
const BROKEN_OFF =
  /^;?\s*(?:Transfer failed\.|communications error|connection timed out|no servers could be reached)/i

/** Begins what `dig` says of itself above what it got: that is about no record. */
const BANNER = /^[\s;]*<<>> DiG /

/** Whether the text behind a ";" says that the file is only a part of a zone. */
export function isBrokenTransfer(text: string): boolean {
  return BROKEN_OFF.test(text)
}

/** Longest block of comment lines that belongs to the record below. */
export const BLOCK_LIMIT = 50
/** Most characters of a comment, and of each line of such a block; in UTF-16, as strings are counted. */
export const COMMENT_LIMIT = 2000

/** TTL, class and type, as the writer has them. */
const AFTER_OWNER = /^[ \t]+\d{1,10}[ \t]+IN[ \t]+[^ \t]/

/** A comment as it is kept: in one line, without the ";" and blanks around it and without controls. */
export function cleanComment(text: string): string {
  const line = text
    .slice(0, 2 * COMMENT_LIMIT)
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029\ufffd]/gu, ' ')
    .replace(/^[\s;]+/, '')
    .trimEnd()
  if (line.length <= COMMENT_LIMIT) return line
  return line
    .slice(0, COMMENT_LIMIT)
    .replace(/\p{Cs}$/u, '')
    .trimEnd()
}

/** A note as it is kept, or undefined when it says nothing. */
export function cleanCommentText(
  above: readonly string[],
  trailing: string
): CommentText | undefined {
  const lines = above.some((line) => BANNER.test(line)) ? [] : above.map(cleanComment)
  while (lines.length > 0 && lines[0] === '') lines.shift()
  while (lines.length > 0 && lines.at(-1) === '') lines.pop()
  const comment = { above: lines.slice(0, BLOCK_LIMIT), trailing: cleanComment(trailing) }
  return comment.above.length === 0 && comment.trailing === '' ? undefined : comment
}

/** What stands beside a record, the comments of all its lines, and whether that marks a long string. */
export function readTrailingComment(comments: string[]): { trailing: string; joined: boolean } {
  const last = comments.at(-1) ?? ''
  const joined = last === LONG_STRING || last.startsWith(`${LONG_STRING} ;`)
  const texts = joined ? [last.slice(LONG_STRING.length)] : comments
  let trailing = ''
  for (const text of texts) {
    const comment = text === '' ? '' : cleanComment(text)
    if (comment !== '') trailing += trailing === '' ? comment : `; ${comment}`
    // The comment is cut there when it is cleaned as a whole.
    if (trailing.length > COMMENT_LIMIT) break
  }
  return { trailing, joined }
}

/**
 * Whether the text behind a ";" is the line of a disabled record: the word, then owner, TTL, class IN and
 * type, as the writer has them.
 */
export function isDisabledRecord(text: string): boolean {
  if (!text.startsWith(DISABLED)) return false
  const line = text.slice(DISABLED.length, COMMENT_LIMIT).replace(/^[ \t]+/, '')
  const end = ownerEnd(line)
  return end > 0 && AFTER_OWNER.test(line.slice(end))
}

/** Index after the owner name, escapes and quotes included; 0 if the line does not start with one. */
function ownerEnd(line: string): number {
  try {
    return tokenEnd(line, 0, 1)
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    return 0
  }
}
