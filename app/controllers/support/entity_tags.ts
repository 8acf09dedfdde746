/** A list of entity tags (RFC 9110, 8.8.3); empty list elements are allowed (5.6.1). */
const ENTITY_TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`
const LIST = new RegExp(String.raw`^[ \t,]*${ENTITY_TAG}(?:[ \t]*,[ \t,]*${ENTITY_TAG})*[ \t,]*$`)

/**
 * The entity tags of a list such as `"a", W/"b"`, with quotes and weakness; null for an invalid
 * list.
 */
export function entityTags(text: string): string[] | null {
  return LIST.test(text) ? (text.match(new RegExp(ENTITY_TAG, 'g')) ?? []) : null
}
