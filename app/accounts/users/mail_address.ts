/** As of the column. */
const LONGEST = 255
const LONGEST_LOCAL_PART = 64

/** Words with dots between them (RFC 5322, 3.2.3, and RFC 6532); quoted ones are left out. */
const LOCAL_PART = /^[^\s@<>(),;:"\\[\].\p{C}]+(?:\.[^\s@<>(),;:"\\[\].\p{C}]+)*$/u
const DOMAIN = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u

/** Whether a text is one word, as clients of the API give where they know no address; no mail is sent there. */
export function isPlainWord(text: string): boolean {
  return text.length <= LONGEST && LOCAL_PART.test(text)
}

/**
 * Whether a text is exactly one addr-spec (RFC 5322, 3.4.1), without display name, comments or blanks. A list of
 * addresses would send mail for one person to others.
 */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)]
  return (
    text.length <= LONGEST &&
    local.length <= LONGEST_LOCAL_PART &&
    LOCAL_PART.test(local) &&
    domain.split('.').every((label) => label.length <= 63 && DOMAIN.test(label))
  )
}
