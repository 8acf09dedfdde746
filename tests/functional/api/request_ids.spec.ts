import { test } from '@japa/runner'

test.group('X-Request-Id', () => {
  test('a valid id is returned: {$self}')
    .with([
      'a',
      'f47ac10b-58cc-4372-a567-0e02b2c3d479',
      'Root=1-67891233-abcdef',
      'a/b+c:d_e@f.g',
      'x'.repeat(128),
    ])
    .run(async ({ client, assert }, id) => {
      const response = await client.get('/ping').header('X-Request-Id', id)
      assert.equal(response.header('x-request-id'), id)
    })

  test('an invalid id is replaced: {$self}')
    .with(['x'.repeat(129), 'a b', '<script>', 'a"b', 'a,b', 'a;b', '{}'])
    .run(async ({ client, assert }, id) => {
      const response = await client.get('/ping').header('X-Request-Id', id)
      assert.match(String(response.header('x-request-id')), /^[0-9a-f-]{36}$/)
    })
})
