// @databases @process
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { setActive, setPassword } from '#tests/support/app/people/account_state'
import { countFailure, readFailureCount, purgeFailures } from '#accounts/sign_in/failures'
import { Lockout, type LockoutSettings } from '#accounts/sign_in/lockout'
import security from '#config/security'
import { ask, basic } from '#tests/support/app/people/basic'
import { unique } from '#tests/support/app/names'
import { person } from '#tests/support/app/people/people'
import { eventually } from '#tests/support/eventually'
import { CalledServer, OtherServer } from '#tests/support/app/server'
import { changeSettings } from '#tests/support/app/settings'

const ZONES = '/api/v2/zones'
const A_MINUTE = 60_000

/** Query of the stored counters of all users. */
const counters = () => db.from('zw_sign_in_failures')

test.group('Lockout by HTTP Basic', (group) => {
  const server = CalledServer.ofThisProcess()
  let other: OtherServer
  group.setup(async () => {
    const variables = {
      API_BASIC_AUTH_ENABLED: 'true',
      SECURITY_ACCOUNT_LOCKOUT_ENABLE_LOCKOUT: 'true',
      SECURITY_ACCOUNT_LOCKOUT_LOCKOUT_ATTEMPTS: '3',
      SECURITY_ACCOUNT_LOCKOUT_WHITELIST_IP_ADDRESSES: '127.0.7.0/24',
      SECURITY_ACCOUNT_LOCKOUT_BLACKLIST_IP_ADDRESSES: '127.0.6.*,127.0.7.1',
    }
    other = await OtherServer.start(variables)
    const restore = changeSettings({
      api: { basic_auth_enabled: true },
      security: {
        account_lockout: {
          enable_lockout: true,
          lockout_attempts: 3,
          whitelist_ip_addresses: ['127.0.7.0/24'],
          blacklist_ip_addresses: ['127.0.6.*', '127.0.7.1'],
        },
      },
    })
    return async () => {
      restore()
      await other.stop()
    }
  })

  const signIn = async (
    username: string,
    password: string,
    { from = '127.0.0.1', at = server }: { from?: string; at?: CalledServer } = {}
  ) => {
    const headers = { authorization: basic(username, password) }
    const answer = await ask(`${at.url}${ZONES}`, headers, { from })
    return answer.status
  }
  /** Sends as many wrong passwords as lock the account. */
  const lock = async (username: string, from = '127.0.0.1') => {
    for (let i = 0; i < 3; i++) {
      await signIn(username, 'wrong', { from })
    }
  }

  test('a form-encoded password with "+" for blanks counts once and as correct', async ({
    assert,
  }) => {
    const { username } = await person({ template: 'Editor' })
    await setPassword(username, 'three words long enough 1')
    const query = new URLSearchParams({ username, password: 'three words long enough 1' })
    for (let i = 0; i < 5; i++) {
      const response = await fetch(
        `${server.url}/nic/update?${query}&hostname=not.there.example&myip=192.0.2.1`
      )
      assert.equal(await response.text(), 'nohost\n')
    }
  })

  test('too many wrong passwords lock on every node, and the right one is refused', async ({
    assert,
  }) => {
    const { username, password } = await person()
    assert.equal(await signIn(username, 'wrong'), 401)
    assert.equal(await signIn(username, 'wrong', { at: other }), 401)
    assert.equal(await signIn(username, password), 200)
    assert.equal(await signIn(username, 'wrong'), 401)
    assert.equal(await signIn(username, password), 401)
    assert.equal(await signIn(username, password, { at: other }), 401)
  })

  test('a name with trailing blanks is another name, and does not bypass a lock', async ({
    assert,
  }) => {
    const { username, password } = await person()
    assert.equal(await signIn(`${username} `, password), 401)
    await lock(username)
    assert.equal(await signIn(`${username}  `, password), 401)
  })

  test('a lock gets the same response as a wrong password', async ({ assert }) => {
    const { username, password } = await person()
    const call = (word: string) =>
      ask(`${server.url}${ZONES}`, { authorization: basic(username, word) })
    const wrong = await call('wrong')
    await lock(username)
    assert.deepEqual(await call(password), wrong)
  })

  test('the user can sign in from another address during the lock', async ({ assert }) => {
    const { username, password } = await person()
    await lock(username, '127.0.0.66')
    assert.equal(await signIn(username, password, { from: '127.0.0.66' }), 401)
    assert.equal(await signIn(username, password), 200)
  })

  test('other users can sign in from the same address during the lock', async ({ assert }) => {
    const [locked, fine] = [await person(), await person()]
    await lock(locked.username)
    assert.equal(await signIn(fine.username, fine.password), 200)
  })

  test('API keys of a locked user work', async ({ assert }) => {
    const { username, key } = await person()
    await lock(username)
    const answer = await ask(`${server.url}${ZONES}`, { 'x-api-key': key })
    assert.equal(answer.status, 200)
  })

  test('the audit log has one event per lock, and no unknown user names', async ({ assert }) => {
    const { id, username } = await person()
    const name = unique('nobody')
    await lock(username)
    await signIn(username, 'wrong')
    await lock(name)
    const locks = () => db.from('zw_audit').where('action', 'login.locked').orderBy('id')
    await eventually(async () => {
      const about = await locks().where('object_id', id)
      const all = await locks()
      assert.lengthOf(about, 1)
      assert.isNull(all.at(-1).object_id)
      assert.notInclude(JSON.stringify(all), name)
    })
  })

  test('unknown names count, and are not stored in plain text', async ({ assert }) => {
    const name = unique('nobody')
    await lock(name)
    assert.equal(await readFailureCount({ username: name, network: '127.0.0.1' }), 3)
    await signIn(name, 'wrong')
    assert.equal(await readFailureCount({ username: name, network: '127.0.0.1' }), 3)
    assert.notInclude(JSON.stringify(await counters()), name)
  })

  test('a lock ends by time, a new password, or activation of the user', async ({ assert }) => {
    const { username } = await person()
    const outdate = () =>
      counters().update({ expires_at: new Date(Date.now() - A_MINUTE).toISOString() })
    for (const release of [
      outdate,
      () => setPassword(username, 'another'),
      () => setActive(username, true),
    ]) {
      await setPassword(username, 'right')
      await lock(username)
      assert.equal(await signIn(username, 'right'), 401)
      await release()
      const statuses = [await signIn(username, 'right'), await signIn(username, 'another')]
      assert.include(statuses, 200)
    }
  })

  test('a success by HTTP Basic does not reset the counter', async ({ assert }) => {
    const { username, password } = await person()
    await signIn(username, 'wrong')
    await signIn(username, 'wrong')
    assert.equal(await signIn(username, password), 200)
    assert.equal(await readFailureCount({ username, network: '127.0.0.1' }), 2)
  })

  test('a cached password verification does not bypass a lock', async ({ assert }) => {
    const { username, password } = await person()
    assert.equal(await signIn(username, password), 200)
    await lock(username)
    assert.equal(await signIn(username, password), 401)
  })

  test('an allowed address is never locked or counted, also if it is refused too', async ({
    assert,
  }) => {
    const { username, password } = await person()
    for (const from of ['127.0.7.1', '127.0.7.2']) {
      await lock(username, from)
      assert.equal(await signIn(username, password, { from }), 200)
      assert.equal(await readFailureCount({ username, network: from }), 0)
    }
  })

  test('a refused address is refused with any password, and nothing is counted', async ({
    assert,
  }) => {
    const { username, password, key } = await person()
    const from = '127.0.6.9'
    assert.equal(await signIn(username, password, { from }), 401)
    assert.equal(await readFailureCount({ username, network: from }), 0)
    const answer = await ask(`${server.url}${ZONES}`, { 'x-api-key': key }, { from })
    assert.equal(answer.status, 200)
  })

  test('many concurrent attempts test about as many passwords as sequential ones', async ({
    assert,
  }) => {
    const { username } = await person()
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => signIn(username, `guess ${i}`, { from: '127.0.0.5' }))
    )
    assert.isAtMost(await readFailureCount({ username, network: '127.0.0.5' }), 4)
  })

  test('no password hash is computed for a locked user', async ({ assert }) => {
    const { id, username } = await person()
    await lock(username)
    // Hashing this password would take seconds.
    const stored =
      '$argon2id$v=19$m=262144,t=32,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
    await db.from('zw_users').where('id', id).update({ password: stored })
    const startTime = performance.now()
    assert.equal(await signIn(username, 'password'), 401)
    assert.isBelow(performance.now() - startTime, 2_000)
  })
})

test.group('Lockout', () => {
  const settings: LockoutSettings = { ...security.account_lockout, enable_lockout: true }
  const attempt = (address = '192.0.2.1') => ({ username: unique('user'), address })
  const fail = async (lockout: Lockout, times: number, who: ReturnType<typeof attempt>) => {
    for (let i = 0; i < times; i++) {
      await lockout.countFailure(who)
    }
  }

  test('the lockout is disabled by default and counts nothing', async ({ assert }) => {
    const lockout = new Lockout(security.account_lockout)
    const who = attempt()
    await fail(lockout, 10, who)
    assert.isFalse(await lockout.isLocked(who))
    assert.equal(await readFailureCount({ username: who.username, network: who.address }), 0)
  })

  test('refused addresses apply even if the lockout is disabled', async ({ assert }) => {
    const lockout = new Lockout({
      ...security.account_lockout,
      blacklist_ip_addresses: ['192.0.2.0/24'],
    })
    assert.isTrue(await lockout.isLocked(attempt()))
    assert.isFalse(await lockout.isLocked(attempt('192.0.3.1')))
  })

  test('an IPv6 client counts by its /64 network', async ({ assert }) => {
    const lockout = new Lockout(settings)
    const who = attempt('2001:db8:1:2::1')
    await fail(lockout, 5, who)
    assert.isTrue(await lockout.isLocked({ ...who, address: '2001:db8:1:2:ffff::9' }))
    assert.isFalse(await lockout.isLocked({ ...who, address: '2001:db8:1:3::1' }))
  })

  test('without addresses the name alone counts, from any address', async ({ assert }) => {
    const lockout = new Lockout({
      ...settings,
      track_ip_address: false,
      whitelist_ip_addresses: ['198.51.100.7'],
    })
    const who = attempt()
    await fail(lockout, 4, who)
    await fail(lockout, 1, { ...who, address: '203.0.113.1' })
    assert.isTrue(await lockout.isLocked({ ...who, address: '2001:db8::1' }))
    assert.isFalse(await lockout.isLocked({ ...who, address: '198.51.100.7' }))
  })

  test('old wrong passwords do not count with new ones', async ({ assert }) => {
    const lockout = new Lockout(settings)
    const who = attempt()
    const counter = { username: who.username, network: who.address }
    await countFailure(counter, -1)
    await countFailure(counter, -1)
    assert.equal(await readFailureCount(counter), 0)
    await lockout.countFailure(who)
    assert.equal(await readFailureCount(counter), 1)
  })

  test('a success in the web interface resets the counter if the settings say so', async ({
    assert,
  }) => {
    const who = attempt()
    const counter = { username: who.username, network: who.address }
    const kept = new Lockout({ ...settings, clear_attempts_on_success: false })
    await fail(kept, 2, who)
    await kept.recordSuccess(who)
    assert.equal(await readFailureCount(counter), 2)
    await new Lockout(settings).recordSuccess(who)
    assert.equal(await readFailureCount(counter), 0)
  })

  test('many concurrent failures are all counted', async ({ assert }) => {
    const lockout = new Lockout(settings)
    const who = attempt()
    await Promise.all(Array.from({ length: 40 }, () => lockout.countFailure(who)))
    assert.equal(await readFailureCount({ username: who.username, network: who.address }), 40)
  })

  test('expired counters are deleted, others stay', async ({ assert }) => {
    const [old, fresh] = [attempt(), attempt()]
    await countFailure({ username: old.username, network: '192.0.2.1' }, -1)
    await countFailure({ username: fresh.username, network: '192.0.2.1' }, 1)
    assert.isAtLeast(await purgeFailures(), 1)
    const left = await counters().where('expires_at', '<=', new Date().toISOString())
    assert.lengthOf(left, 0)
    assert.equal(await readFailureCount({ username: fresh.username, network: '192.0.2.1' }), 1)
  })
})
