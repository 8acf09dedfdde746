import { gzipSync } from 'node:zlib'
import { test } from '@japa/runner'
import { baseUrl } from '#tests/support/app/api'
import { administrator } from '#tests/support/app/people/people'
import { signedIn } from '#tests/support/web/client'

const FORM = 'application/x-www-form-urlencoded'
const SECRET = 'a-secret-in-a-form'
const STRANGERS_FORMS = ['/login', '/password/forgotten', '/login/code', '/setup']

/** Bodies that no page sends: content type, further headers, bytes. */
const ODD_BODIES: [title: string, headers: Record<string, string>, body: string | Buffer][] = [
  ['JSON that is cut off', { 'content-type': 'application/json' }, `{"password":"${SECRET}"`],
  ['JSON that is null', { 'content-type': 'application/json' }, 'null'],
  ['JSON that is a text', { 'content-type': 'application/json' }, '"text"'],
  ['JSON that is deeply nested', { 'content-type': 'application/json' }, `${'['.repeat(8000)}`],
  ['a charset that is unknown', { 'content-type': `${FORM}; charset=x-odd` }, `password=${SECRET}`],
  ['a charset that is not UTF-8', { 'content-type': `${FORM}; charset=utf-16` }, 'a=1'],
  [
    'a form that is compressed',
    { 'content-type': FORM, 'content-encoding': 'gzip' },
    gzipSync(`a=${'x'.repeat(4_000_000)}`),
  ],
  ['a broken gzip', { 'content-type': FORM, 'content-encoding': 'gzip' }, 'no gzip'],
  ['an encoding that is unknown', { 'content-type': FORM, 'content-encoding': 'odd' }, 'a=1'],
  ['XML', { 'content-type': 'text/xml' }, '<a/>'],
  ['no content type', {}, Buffer.from('a=1')],
]

const send = (path: string, headers: Record<string, string>, body: string | Buffer) =>
  fetch(`${baseUrl()}${path}`, {
    method: 'POST',
    headers: { accept: 'text/html', ...headers },
    body: typeof body === 'string' ? Buffer.from(body) : new Uint8Array(body),
    redirect: 'manual',
  })

test.group('Malformed bodies', () => {
  for (const [title, headers, body] of ODD_BODIES) {
    test(`${title}: visitors get a 4xx status, never 500`, async ({ assert }) => {
      for (const path of STRANGERS_FORMS) {
        const response = await send(path, headers, body)
        const isLedAway = path === '/setup' && response.status === 302
        assert.isTrue(response.status === 415 || isLedAway, `${path}: ${response.status}`)
        assert.notInclude(await response.text(), SECRET)
      }
    })

    test(`${title}: signed-in users get a page`, async ({ assert }) => {
      const client = await signedIn(await administrator())
      const response = await client.postBody('/account/password', headers, body)
      assert.equal(response.status, 415)
      assert.include(response.html, '<h1')
      assert.notInclude(response.html, SECRET)
    })
  }

  test('a form above the size limit gets an error page', async ({ assert }) => {
    const client = await signedIn(await administrator())
    const body = `a=${'x'.repeat(5_000_000)}`
    const headers = { 'content-type': FORM }
    const response = await client.postBody('/account/password', headers, body)
    assert.equal(response.status, 413)
    assert.include(response.html, '<h1')
    assert.include(response.html, 'too large')
  })
})
