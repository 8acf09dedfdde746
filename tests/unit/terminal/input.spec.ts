import { test } from '@japa/runner'
import { utf8Text } from '#terminal/input'

/** Reads bytes in chunks of this size. Returns the text, or the line of the error. */
async function read(bytes: Buffer, size: number): Promise<string | number> {
  let at = 0
  const next = () => {
    const chunk = at < bytes.length ? bytes.subarray(at, at + size) : null
    at += size
    return Promise.resolve(chunk)
  }
  let text = ''
  try {
    for await (const part of utf8Text(next, '"x"')) text += part
    return text
  } catch (error) {
    return Number(/line (\d+) has other bytes/.exec((error as Error).message)?.[1])
  }
}

test.group('Text files on the command line', () => {
  for (const [latin, wanted] of [
    ['a\nb\n', 'a\nb\n'],
    ['', ''],
    ['\xc3\xa4\n\xe2\x82\xac\n\xf0\x9f\x98\x80', 'ä\n€\n😀'],
    ['www A 192.0.2.1 ; B\xfcro', 1],
    ['a\nb\n; \xff', 3],
    ['a\r\n\xc3\nb', 2],
    ['\n\n\xc3\xa4\n\xe2\x82', 4],
    ['\n\xf0\x9f\x98\nx\n\xff', 2],
    ['\xc3\xa4\n\xe2\x82a\n', 2],
  ] as [string, string | number][]) {
    test(JSON.stringify(latin), async ({ assert }) => {
      const bytes = Buffer.from(latin, 'latin1')
      for (const size of [1, 2, 3, 4, 5, 100]) assert.equal(await read(bytes, size), wanted)
    })
  }
})
