/** The line, from 1, of the first invalid UTF-8 bytes; undefined for valid text. */
export function lineOfBadUtf8(bytes: Uint8Array): number | undefined {
  let line = 1
  let start = 0
  const decoder = new TextDecoder('utf-8', { fatal: true })
  // A line feed is never part of another character.
  while (start <= bytes.length) {
    const feed = bytes.indexOf(0x0a, start)
    const end = feed < 0 ? bytes.length : feed
    try {
      decoder.decode(bytes.subarray(start, end))
    } catch {
      return line
    }
    if (feed < 0) return undefined
    start = feed + 1
    line++
  }
  return undefined
}
