import { createServer } from 'node:net'
import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { test } from '@japa/runner'
import { freePort } from '#tests/support/programs'

/** Starts the service with two workers, which must fail. Returns how it ended. */
async function start(variables: Record<string, string>) {
  const child = spawn(process.execPath, ['build/bin/start.js'], {
    env: { ...process.env, SERVER_WORKERS: '2', ...variables },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 20_000,
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text))
  const [code] = await once(child, 'close')
  return { code, told: output }
}

test.group('A service of several workers that cannot start', (group) => {
  group.each.timeout(30_000)

  test('all invalid settings are printed once, with exit code 1', async ({ assert }) => {
    const { code, told } = await start({ DNS_TTL: 'long', API_ENABLED: 'perhaps' })
    assert.equal(code, 1)
    assert.deepEqual(told.trim().split('\n'), [
      'api.enabled: found "perhaps" in environment variable API_ENABLED, allowed: boolean, true or false',
      'dns.ttl: found "long" in environment variable DNS_TTL, allowed: integer, 0..2147483647 seconds',
    ])
  })

  test('an invalid number of workers is printed once', async ({ assert }) => {
    const { code, told } = await start({ SERVER_WORKERS: '0' })
    assert.equal(code, 1)
    assert.equal(
      told,
      'server.workers: found "0" in environment variable SERVER_WORKERS, allowed: integer or null, 1..64 processes\n'
    )
  })

  for (const workers of ['1', '2']) {
    test(`a used port is reported in one line (workers: ${workers})`, async ({
      assert,
      cleanup,
    }) => {
      const port = await freePort()
      const other = createServer().listen(port, '127.0.0.1')
      cleanup(() => void other.close())
      await once(other, 'listening')
      const { code, told } = await start({ PORT: String(port), SERVER_WORKERS: workers })
      assert.equal(code, 1)
      assert.equal(
        told,
        `PORT: found ${port}, which is in use on 127.0.0.1, allowed: a free port\n`
      )
    })
  }
})
