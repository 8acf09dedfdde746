import { test } from '@japa/runner'
import { isBrokenOff } from '#exceptions/handler'

const failed = (message: string, overrides: object) => Object.assign(new Error(message), overrides)
const open = { complete: true, destroyed: false }
const cut = { complete: false, destroyed: true }
const deleted = { complete: true, destroyed: true }

test.group('Clients that hang up', () => {
  test('{0}: {3}')
    .with([
      ['cut within the body', failed('aborted', { code: 'ECONNRESET' }), cut, true],
      ['gone before the body was read', failed('aborted', { code: 'ECONNRESET' }), deleted, true],
      ['cut within a form', failed('request aborted', { type: 'request.aborted' }), cut, true],
      ['gone before a form was read', failed('x', { type: 'request.aborted' }), deleted, true],
      ['a stream that ended early', failed('x', { code: 'ERR_STREAM_PREMATURE_CLOSE' }), cut, true],
      ['a lost database', failed('read ECONNRESET', { code: 'ECONNRESET' }), open, false],
      [
        'a lost database, client gone',
        failed('read ECONNRESET', { code: 'ECONNRESET' }),
        deleted,
        false,
      ],
      ['any other error', failed('aborted', {}), deleted, false],
    ] as const)
    .run(({ assert }, [, error, request, isIt]) => {
      assert.equal(isBrokenOff(error, request), isIt)
    })
})
