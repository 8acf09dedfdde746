import { test } from '@japa/runner'
import { lineOfBadUtf8 } from '#exceptions/not_utf8'

test.group('Text that is not UTF-8', () => {
  test('{0} is wrong on line {1}')
    .with([
      ['www A 192.0.2.1 ; B\xfcro', 1],
      ['a\nb\n; \xff', 3],
      ['a\r\n\xc3\n', 2],
      ['\n\n\xc3\xa4\n\xe2\x82', 4],
      ['\xc3\xa4\n\xe2a\n', 2],
      ['\n\n\xff\n\n\n\n\n\n', 3],
      ['\n\n\n\n\n\n\xff\n', 7],
      ['a\n\xc3\xa4', undefined],
      ['', undefined],
      ['\n', undefined],
      ['\xef\xbb\xbfa', undefined],
    ] as [string, number | undefined][])
    .run(({ assert }, [latin, line]) => {
      assert.equal(lineOfBadUtf8(Buffer.from(latin, 'latin1')), line)
    })
})
