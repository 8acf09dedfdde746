import { test } from '@japa/runner'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { testFolder } from '#tests/support/app/server'

/** Starts the server with these variables and a timeout of some seconds. Returns how it ended. */
function start(environment: Record<string, string>) {
  const node = join(process.cwd(), 'node_modules/.bin/node')
  const { status, stderr, stdout } = spawnSync(
    node,
    ['--import=@poppinss/ts-exec', 'bin/server.ts'],
    {
      env: { ...process.env, NODE_ENV: 'production', PORT: '0', ...environment },
      encoding: 'utf8',
      timeout: 20_000,
    }
  )
  return { status, stderr, stdout }
}

test.group('A service that cannot start', (group) => {
  group.each.timeout(30_000)

  test('a database without tables is reported in one line', ({ assert }) => {
    const file = join(testFolder('not-set-up'), 'empty.sqlite3')
    const { status, stderr } = start({ DB_CONNECTION: 'sqlite', DB_FILE: file })
    assert.equal(status, 1)
    assert.match(stderr, /^The database lacks \d+ migration\(s\).*run "node ace setup"\n$/)
  })

  const BAD: [variable: string, value: string, allowed: RegExp][] = [
    ['PORT', '99999', /^PORT: found "99999" .*allowed: a port number, 0\.\.65535\n$/],
    ['APP_KEY', 'short', /^APP_KEY: found \*{8} .*allowed: 16 characters or more\n$/],
    ['TZ', 'Mars/Phobos', /^TZ: found "Mars\/Phobos" .*allowed: a time zone/],
    ['DB_PORT', 'x', /^DB_PORT: found "x"/],
    ['API_ENABLED', 'perhaps', /^api\.enabled: found "perhaps".*allowed: boolean/],
    ['DNS_TTLL', '5', /^DNS_TTLL: found an unknown variable.*allowed: DNS_TTL\n$/],
  ]
  for (const [variable, value, message] of BAD) {
    test(`${variable}=${value} is reported in one line`, ({ assert }) => {
      const { status, stderr } = start({ [variable]: value })
      assert.equal(status, 1)
      assert.match(stderr, message)
    })
  }
})
