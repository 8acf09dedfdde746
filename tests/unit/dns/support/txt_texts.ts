/** A TXT content as users write it in zone files and to the API, and its strings. */
export interface Text {
  title: string
  content: string
  /** Strings on the wire, of at most 255 bytes. */
  strings: Buffer[]
}

const MARK = '🦊'

function text(title: string, content: string, ...strings: (string | number[])[]): Text {
  const bytes = (it: string | number[]) =>
    typeof it === 'string' ? Buffer.from(it) : Buffer.from(it)
  return { title, content, strings: strings.map(bytes) }
}

/** Contents in which a character could be lost or misread. */
export const TEXTS: Text[] = [
  text('syntax in quotes', '"a;b (c) d" "second  part"', 'a;b (c) d', 'second  part'),
  text('a parenthesis', '"("', '('),
  text('parentheses the wrong way round', '")" "("', ')', '('),
  text('an escaped quote', '"\\""', '"'),
  text('an escaped backslash', '"\\\\" "\\\\\\""', '\\', '\\"'),
  text('a blank as its number', '"\\032" "\\032\\032x\\032"', ' ', '  x '),
  text('a quote and a backslash as their numbers', '"\\034\\092"', '"\\'),
  text('digits behind a number', '"\\0321" "\\0650"', ' 1', 'A0'),
  text('needless escapes', '"\\;\\(\\)\\a\\ "', ';()a '),
  text('controls', '"\\000\\001\\009\\010\\013\\031\\127"', [0, 1, 9, 10, 13, 31, 127]),
  text('bytes that are no UTF-8', '"\\128\\192\\255"', [128, 192, 255]),
  text('UTF-8', `"ä日本${MARK}"`, `ä日本${MARK}`),
  text('empty strings', '"" "" "a" ""', '', '', 'a', ''),
  text('blanks at the ends', '"  a  "', '  a  '),
  text('what looks like a marker', '";joined" "$TTL 5" "@"', ';joined', '$TTL 5', '@'),
  text('a full string, and one more', `"${'a'.repeat(255)}" "b"`, 'a'.repeat(255), 'b'),
]

/** Returns one string of `length` bytes with every byte value, and its parts on the wire. */
export function longText(length: number): Text {
  const bytes = Buffer.from(Array.from({ length }, (_, at) => (at * 7 + (at >> 8)) & 255))
  const content = Array.from(bytes, (byte) => `\\${String(byte).padStart(3, '0')}`).join('')
  const pieces = Array.from({ length: Math.ceil(length / 255) }, (_, at) =>
    bytes.subarray(at * 255, at * 255 + 255)
  )
  return { title: `${length} bytes`, content: `"${content}"`, strings: pieces }
}
