import { isUtf8 } from 'node:buffer'

const LINE_FEED = 0x0a

/** The line, from 1, of the first invalid UTF-8 bytes; undefined for valid text. */
export function lineOfBadUtf8(bytes: Uint8Array): number | undefined {
  if (isUtf8(bytes)) return undefined
  let [start, end] = [0, bytes.length]
  // A line feed is never part of another character, so that halves that end in one are valid by themselves.
  for (;;) {
    const next = lineStartBetween(bytes, start, end)
    if (next === undefined) return lineAt(bytes, start)
    if (isUtf8(bytes.subarray(start, next))) start = next
    else end = next
  }
}

/** The start of a line in the middle of a range; undefined for one line. */
function lineStartBetween(bytes: Uint8Array, start: number, end: number): number | undefined {
  const middle = (start + end) >> 1
  const before = bytes.subarray(start, middle).lastIndexOf(LINE_FEED)
  if (before >= 0) return start + before + 1
  const after = bytes.subarray(middle, end - 1).indexOf(LINE_FEED)
  return after < 0 ? undefined : middle + after + 1
}

function lineAt(bytes: Uint8Array, position: number): number {
  let line = 1
  for (let at = 0; at < position; at++) if (bytes[at] === LINE_FEED) line++
  return line
}
