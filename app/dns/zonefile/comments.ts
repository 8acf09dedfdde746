import { FileFault } from '#dns/zonefile/reading/faults'
import { tokenEnd } from '#dns/zonefile/reading/scan'
import type { CommentText } from '#dns/types'

/** Prefix of a disabled record, directly after ";": `;disabled www 300 IN A 192.0.2.1`. */
export const DISABLED = 'disabled '
/** Prefix of a record that no zone file can contain; an import does not read it. */
export const INVALID = 'invalid '
/**
 * Directly after the ";" of a text record: its strings are the pieces of one string of more than 255 bytes. PowerDNS stores
 * such strings, zone files cannot contain them; the wire format is the same.
 */
export const LONG_STRING = 'joined'

/** Comments of `dig` after an interrupted transfer: the records above are not the whole zone. */
const INTERRUPTED_TRANSFER =
  /^;?\s*(?:Transfer failed\.|communications error|connection timed out|no servers could be reached)/i

/** First comment line of `dig` output, which is about no record. */
const BANNER = /^[\s;]*<<>> DiG /

/** Returns whether a comment, after its ";", reports an incomplete transfer. */
export function isBrokenTransfer(text: string): boolean {
  return INTERRUPTED_TRANSFER.test(text)
}

/** Maximum number of comment lines that belong to the record below them. */
export const BLOCK_LIMIT = 50
/** Maximum length of a comment, and of each line of a block, in UTF-16 code units. */
export const COMMENT_LIMIT = 2000

/** TTL, class and type in the format of the writer. */
const AFTER_OWNER = /^[ \t]+\d{1,10}[ \t]+IN[ \t]+[^ \t]/

/** Returns the stored form of a comment: one line, without outer ";" and spaces, and without control characters. */
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

/** Returns the stored form of a comment; undefined for an empty one. */
export function cleanCommentText(
  above: readonly string[],
  inline: string
): CommentText | undefined {
  const lines = above.some((line) => BANNER.test(line)) ? [] : above.map(cleanComment)
  while (lines.length > 0 && lines[0] === '') lines.shift()
  while (lines.length > 0 && lines.at(-1) === '') lines.pop()
  const comment = { above: lines.slice(0, BLOCK_LIMIT), inline: cleanComment(inline) }
  return comment.above.length === 0 && comment.inline === '' ? undefined : comment
}

/** Returns the inline comments of all lines of a record, joined, and whether they mark a long string. */
export function readInlineComment(comments: string[]): { inline: string; joined: boolean } {
  const last = comments.at(-1) ?? ''
  const joined = last === LONG_STRING || last.startsWith(`${LONG_STRING} ;`)
  const texts = joined ? [last.slice(LONG_STRING.length)] : comments
  let inline = ''
  for (const text of texts) {
    const comment = text === '' ? '' : cleanComment(text)
    if (comment !== '') inline += inline === '' ? comment : `; ${comment}`
    // `cleanComment` cuts the joined comment at this length.
    if (inline.length > COMMENT_LIMIT) break
  }
  return { inline, joined }
}

/**
 * Returns whether the text after a ";" is a disabled record: the prefix, then owner, TTL, class IN and type in the format of
 * the writer.
 */
export function isDisabledRecord(text: string): boolean {
  if (!text.startsWith(DISABLED)) return false
  const line = text.slice(DISABLED.length, COMMENT_LIMIT).replace(/^[ \t]+/, '')
  const end = ownerEnd(line)
  return end > 0 && AFTER_OWNER.test(line.slice(end))
}

/** Returns the index after the owner name, with escapes and quotes; 0 if the line does not start with one. */
function ownerEnd(line: string): number {
  try {
    return tokenEnd(line, 0, 1)
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    return 0
  }
}
