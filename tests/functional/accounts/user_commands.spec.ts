// @process
import hash from '@adonisjs/core/services/hash'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { setActive } from '#tests/support/app/people/account_state'
import {
  countRemainingAdministrators,
  withRemainingAdministrator,
} from '#accounts/users/last_administrator'
import { maintainer } from '#access/actor'
import { confirmSecondFactor, prepareSecret } from '#accounts/second_factor/second_factor'
import { stepAt, totpCode } from '#accounts/second_factor/totp'
import { countFailure, readFailureCount } from '#accounts/sign_in/failures'
import { inTransaction } from '#database/transaction'
import { Refusal } from '#exceptions/refusal'
import { ace } from '#tests/support/app/commands'
import { administrator, person, createTeam } from '#tests/support/app/people/people'
import { changeSettings } from '#tests/support/app/settings'

const LIMIT = 60_000

const userOf = (id: number) => db.from('zw_users').where('id', id).firstOrFail()

test.group('node ace user:list', (group) => {
  group.each.timeout(LIMIT)

  test('prints names, states, templates and groups without hashes', async ({ assert }) => {
    const everything = await createTeam(['user_is_ueberuser'])
    const member = await person({ groups: [everything.name] })
    const deleted = await person({ template: 'Zone Manager' })
    await setActive(deleted.username, false)
    const { code, stdout, stderr } = await ace(['user:list', '--json'])
    assert.equal(code, 0, stderr)
    const users: { username: string }[] = JSON.parse(stdout)
    const listedUser = (username: string) => users.find((user) => user.username === username)
    assert.deepEqual(listedUser(member.username), {
      id: member.id,
      username: member.username,
      email: null,
      active: true,
      template: 'Guest',
      groups: [everything.name],
      administrator: true,
    } as object)
    assert.containsSubset(listedUser(deleted.username), {
      active: false,
      template: 'Zone Manager',
      groups: [],
      administrator: false,
    })
    const table = await ace(['user:list'])
    assert.match(table.stdout, /^ID +NAME +STATE +TEMPLATE +GROUPS +E-MAIL\n/)
    assert.match(
      table.stdout,
      new RegExp(
        `^${member.id} +${member.username} +active +Guest \\(administrator\\) +\\S+ +-$`,
        'm'
      )
    )
    assert.match(
      table.stdout,
      new RegExp(`^${deleted.id} +${deleted.username} +inactive +Zone Manager +- +-$`, 'm')
    )
    assert.notInclude(stdout + table.stdout, 'argon2')
  })
})

test.group('node ace user:password', (group) => {
  group.each.timeout(LIMIT)

  test('reads the first line of standard input, and resets the failure counter', async ({
    assert,
  }) => {
    const { id, username } = await person()
    const counter = { username, network: '192.0.2.1' }
    await countFailure(counter, 15)
    const result = await ace(['user:password', username, '--password-stdin'], {
      input: 'neu ü\nmore\n',
    })
    assert.equal(result.code, 0, result.stderr)
    assert.equal(result.stdout, `{"id":${id}}\n`)
    const user = await userOf(id)
    assert.isTrue(await hash.verify(user.password, 'neu ü'))
    const events = await db
      .from('zw_audit')
      .where({ object_kind: 'user', object_id: id, action: 'user.password' })
    assert.lengthOf(events, 1)
    assert.notInclude(JSON.stringify(events), 'neu')
    assert.equal(await readFailureCount(counter), 0)
  })

  test('generates a password and prints it once', async ({ assert }) => {
    const { id, username } = await person()
    const result = await ace(['user:password', username])
    assert.equal(result.code, 0, result.stderr)
    const answer = JSON.parse(result.stdout)
    const user = await userOf(id)
    assert.equal(answer.id, id)
    assert.isTrue(await hash.verify(user.password, answer.password))
  })

  test('applies the password policy to given and generated passwords', async ({
    assert,
    cleanup,
  }) => {
    const { id, username } = await person()
    const before = await userOf(id)
    const rules = { enable_password_rules: true, min_length: 30 }
    cleanup(changeSettings({ security: { password_policy: rules } }))
    const words = ['user:password', username, '--password-stdin']
    const short = await ace(words, { input: 'short\n' })
    assert.equal(short.code, 1)
    assert.match(short.stderr, /at least 30/)
    const after = await userOf(id)
    assert.equal(after.password, before.password)
    const created = await ace(['user:password', username])
    assert.equal(created.code, 0, created.stderr)
    assert.isAtLeast(JSON.parse(created.stdout).password.length, 30)
  })

  test('refuses an unknown user and an empty password', async ({ assert }) => {
    const { username } = await person()
    for (const [words, expectedText] of [
      [['nobody-of-that-name'], /nobody-of-that-name/],
      [[username, '--password-stdin'], /password/],
    ] as [string[], RegExp][]) {
      const result = await ace(['user:password', ...words], { input: '\n' })
      assert.equal(result.code, 1)
      assert.equal(result.stdout, '')
      assert.match(result.stderr, expectedText)
    }
  })
})

test.group('node ace user:deactivate, user:activate', (group) => {
  group.each.timeout(LIMIT)

  test('the commands deactivate and activate a user, and report an unchanged state', async ({
    assert,
  }) => {
    await administrator()
    const { id, username } = await person()
    for (const [command, active, says] of [
      ['user:deactivate', false, `User ${username} is inactive\n`],
      ['user:deactivate', false, `User ${username} is already inactive\n`],
      ['user:activate', true, `User ${username} is active\n`],
      ['user:activate', true, `User ${username} is already active\n`],
    ] as const) {
      const result = await ace([command, username])
      assert.equal(result.code, 0, result.stderr)
      assert.equal(result.stdout, says)
      const user = await userOf(id)
      assert.equal(Boolean(user.active), active)
    }
    const events = await db
      .from('zw_audit')
      .where({ object_kind: 'user', object_id: id, action: 'user.updated' })
    assert.lengthOf(events, 2)
  })

  test('the commands refuse an unknown user', async ({ assert }) => {
    for (const command of ['user:deactivate', 'user:activate']) {
      const result = await ace([command, 'nobody-of-that-name'])
      assert.equal(result.code, 1)
      assert.match(result.stderr, /nobody-of-that-name/)
    }
  })
})

test.group('node ace user:second-factor', (group) => {
  group.each.timeout(LIMIT)

  test('removes a second factor and prints the result', async ({ assert }) => {
    const { id, username } = await person()
    const says = async (...words: string[]) => {
      const { stdout } = await ace(['user:second-factor', username, ...words])
      return stdout
    }
    const secret = await prepareSecret(id)
    await confirmSecondFactor(
      { ...maintainer(), userId: id, username },
      totpCode(secret, stepAt(Date.now())),
      0
    )
    assert.equal(await says(), `User ${username} has a second factor and 10 recovery codes\n`)
    assert.equal(await says('--off'), `User ${username} has no second factor now\n`)
    assert.equal(await says('--off'), `User ${username} has no second factor\n`)
    const events = await db
      .from('zw_audit')
      .where({ object_kind: 'user', object_id: id, action: 'user.mfa' })
    assert.lengthOf(events, 2)
  })
})

test.group('The last administrator', (group) => {
  group.each.timeout(LIMIT)
  // Deactivates all other users during a test.
  group.each.setup(async () => {
    const awake: { id: number }[] = await db.from('zw_users').where('active', true).select('id')
    const ids = awake.map(({ id }) => id)
    await db.from('zw_users').whereIn('id', ids).update({ active: false })
    return async () => {
      await db.from('zw_users').whereIn('id', ids).update({ active: true })
    }
  })

  const refused = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => (error instanceof Refusal ? error.status : String(error))
    )
  const left = (without?: number) =>
    inTransaction(db.connection(), (trx) =>
      countRemainingAdministrators(trx, { exceptUserId: without })
    )

  test('the last administrator cannot be deactivated, but others can', async ({ assert }) => {
    const [one, two, otherUser] = [await administrator(), await administrator(), await person()]
    assert.equal(await left(), 2)
    assert.equal(await left(one.id), 1)
    assert.isTrue(await setActive(otherUser.username, false))
    assert.isTrue(await setActive(one.username, false))
    assert.equal(await refused(setActive(two.username, false)), 409)
    const user = await userOf(two.id)
    assert.isTrue(Boolean(user.active))
    const result = await ace(['user:deactivate', two.username])
    assert.equal(result.code, 1)
    assert.match(result.stderr, /user_is_ueberuser/)
  })

  test('an administrator by group counts as the last administrator', async ({ assert }) => {
    const everything = await createTeam(['user_is_ueberuser'])
    const [ownUser, member] = [await administrator(), await person({ groups: [everything.name] })]
    assert.equal(await left(), 2)
    assert.isTrue(await setActive(ownUser.username, false))
    assert.equal(await refused(setActive(member.username, false)), 409)
    const leave = inTransaction(db.connection(), (trx) =>
      withRemainingAdministrator(trx, () =>
        trx.from('zw_group_members').where('user_id', member.id).delete()
      )
    )
    assert.equal(await refused(leave), 409)
    assert.equal(await left(), 1)
  })

  test('one administrator stays when two are deactivated concurrently', async ({ assert }) => {
    for (let round = 0; round < 10; round++) {
      const both = [await administrator(), await administrator()]
      const answers = await Promise.all(
        both.map(({ username }) => refused(setActive(username, false)))
      )
      assert.sameMembers(answers, [null, 409])
      assert.equal(await left(), 1)
      await db.from('zw_users').update({ active: false })
    }
  })

  test('without an administrator other users can still be deactivated', async ({ assert }) => {
    const { username } = await person()
    assert.equal(await left(), 0)
    assert.isTrue(await setActive(username, false))
  })
})
