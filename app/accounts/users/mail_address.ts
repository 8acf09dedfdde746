/** Length of the column. */
const MAX_ADDRESS_CHARACTERS = 255
const MAX_LOCAL_PART_CHARACTERS = 64

/** Dot-atom (RFC 5322, 3.2.3, and RFC 6532); quoted local parts are not supported. */
const LOCAL_PART = /^[^\s@<>(),;:"\\[\].\p{C}]+(?:\.[^\s@<>(),;:"\\[\].\p{C}]+)*$/u
const DOMAIN = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u

/**
 * Returns whether a text is one word. API clients send it as a placeholder for an address; no mail
 * is sent to it.
 */
export function isPlainWord(text: string): boolean {
  return text.length <= MAX_ADDRESS_CHARACTERS && LOCAL_PART.test(text)
}

/**
 * Returns whether a text is exactly one addr-spec (RFC 5322, 3.4.1), without display name, comments
 * or spaces. A list of addresses would send mail to others.
 */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)]
  return (
    text.length <= MAX_ADDRESS_CHARACTERS &&
    local.length <= MAX_LOCAL_PART_CHARACTERS &&
    LOCAL_PART.test(local) &&
    domain.split('.').every((label) => label.length <= 63 && DOMAIN.test(label))
  )
}
