// @process
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, dataOf, expectStatus, createZone } from '#tests/support/app/api'
import { ace } from '#tests/support/app/commands'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person } from '#tests/support/app/people/people'
import { OtherServer } from '#tests/support/app/server'
import { statementsOf } from '#tests/support/app/database/statements'

test.group('Commands about API keys', (group) => {
  group.each.timeout(60_000)

  test('api-key:create accepts patterns, networks and idle days', async ({ client, assert }) => {
    const admin = await administrator()
    const words = [
      '--patterns=*.dyn.example.com:A+aaaa,_acme-challenge.**.Example.com',
      '--networks=127.0.0.1,2001:db8::/32',
      '--idle-days=30',
    ]
    const { code, stdout, stderr } = await ace(['api-key:create', admin.username, ...words])
    assert.equal(code, 0, stderr)
    const { id, key } = JSON.parse(stdout)
    assert.equal(stdout, `${JSON.stringify({ id, key })}\n`)
    const shown = await dataOf(caller(client, admin).get(`/api-keys/${id}`), 'api_key')
    assert.deepEqual(
      [shown.patterns, shown.networks, shown.idle_days],
      [
        [
          { name: '*.dyn.example.com', types: ['A', 'AAAA'] },
          { name: '_acme-challenge.**.example.com', types: [] },
        ],
        ['127.0.0.1/32', '2001:db8::/32'],
        30,
      ]
    )
    await expectStatus(caller(client, { key }).get('/zones'), 200)
  })

  test('invalid options are refused without standard output', async ({ assert }) => {
    const { username } = await administrator()
    const cases: [string, RegExp][] = [
      ['--patterns=a:b:c', /is not a pattern/],
      ['--patterns=x*.example', /patterns\.0\.name/],
      ['--patterns=*.example:NOPE', /NOPE/],
      ['--networks=example.com', /network/],
      ['--idle-days=0', /--idle-days/],
    ]
    for (const [word, expectedMessage] of cases) {
      const { code, stdout, stderr } = await ace(['api-key:create', username, word])
      assert.deepEqual([code, stdout], [1, ''], word)
      assert.match(stderr, expectedMessage)
    }
  })

  test('api-key:list shows keys and restrictions without hashes, and api-key:revoke deletes one', async ({
    client,
    assert,
  }) => {
    const who = await person({ template: 'Zone Manager' })
    const zone = await createZone(caller(client, who), { name: zoneNamed() })
    const { id, key } = await keyFor(who, { zones: [zone], readOnly: true })
    const listed = await ace(['api-key:list', `--user=${who.username}`])
    assert.equal(listed.code, 0, listed.stderr)
    const line = listed.stdout.split('\n').find((text) => text.startsWith(`${id} `))
    assert.include(line, `read-only; zones ${zone.name}`)
    const row = await db.from('zw_api_keys').where('id', id).firstOrFail()
    assert.notInclude(listed.stdout, row.secret_hash)
    const json = await ace(['api-key:list', `--user=${who.username}`, '--json'])
    assert.lengthOf(JSON.parse(json.stdout).api_keys, 2)
    const unknown = await ace(['api-key:list', '--user=nobody-of-this-name'])
    assert.equal(unknown.code, 1)

    const revoked = await ace(['api-key:revoke', String(id)])
    assert.equal(revoked.code, 0, revoked.stderr)
    await expectStatus(caller(client, { key }).get('/zones'), 401)
    const secondResult = await ace(['api-key:revoke', String(id)])
    assert.deepEqual([secondResult.code, secondResult.stderr], [1, 'API key not found\n'])
    const word = await ace(['api-key:revoke', 'all'])
    assert.equal(word.code, 1)
  })

  test('explain prints the rights of a user and their sources', async ({ client, assert }) => {
    const user = await person({ template: 'Zone Manager' })
    const zone = await createZone(caller(client, user), { name: zoneNamed() })
    const { id } = await keyFor(user, { patterns: [{ name: `*.${zone.name}`, types: ['A'] }] })
    const may = await ace(['explain', user.username, 'zone.delete', `--zone=${zone.name}`])
    assert.equal(may.code, 0, may.stderr)
    assert.equal(
      may.stdout,
      `${user.username} may zone.delete on ${zone.name}\n` +
        "  permission: Granted by zone_delete_own (zone_delete_own from template 'Zone Manager')\n"
    )
    const words = ['rrset.write', `--zone=${zone.name}`, '--name=@', '--type=A', `--key=${id}`]
    const mayNot = await ace(['explain', user.username, ...words])
    assert.include(mayNot.stdout, `${user.username} with API key ${id} may not rrset.write`)
    const json = await ace(['explain', user.username, 'zone.create', '--type=SLAVE', '--json'])
    assert.equal(JSON.parse(json.stdout).decision, 'allow')
    const wrong: [string[], RegExp][] = [
      [['zone.explode'], /zone\.view, zone\.view_history/],
      [['zone.view'], /--zone/],
      [['zone.view', '--zone=nothing.test'], /nothing\.test/],
      [['zone.create', '--key=x'], /--key/],
    ]
    for (const [more, expectedMessage] of wrong) {
      const { code, stderr } = await ace(['explain', user.username, ...more])
      assert.equal(code, 1)
      assert.match(stderr, expectedMessage)
    }
  })
})

test.group('Uses of API keys', (group) => {
  group.each.timeout(60_000)

  test('uses are written at the end of the server', async ({ assert }) => {
    const { key, keyId } = await administrator()
    const server = await OtherServer.start({})
    const { status } = await server.get('/api/v2/zones', { 'x-api-key': key })
    assert.equal(status, 200)
    const stored = async () => {
      const row = await db.from('zw_api_keys').where('id', keyId).firstOrFail()
      return row.last_used_at
    }
    assert.isNull(await stored())
    await server.stop()
    assert.isNotNull(await stored())
  })

  test('uses cost no statement of a request, and the key check costs one', async ({ assert }) => {
    const { findActorOfKey } = await import('#accounts/authenticate')
    const { keyUses } = await import('#accounts/keys/last_used')
    const admin = await person({ template: 'Zone Manager' })
    const statements = await statementsOf(async () => {
      for (let round = 0; round < 3; round++) {
        assert.isNotNull(await findActorOfKey(admin.key, '127.0.0.1', 'api'))
      }
      assert.isNull(await findActorOfKey('wrong', '127.0.0.1', 'api'))
    })
    assert.lengthOf(statements, 4, statements.join('\n'))
    await keyUses.flush()
    const { last_used_at: used } = await db
      .from('zw_api_keys')
      .where('id', admin.keyId)
      .firstOrFail()
    assert.isNotNull(used)
  })
})
