// @process
import { join } from 'node:path'
import { test } from '@japa/runner'
import Sqlite from 'better-sqlite3'
import { PowerDnsClient } from '#backends/powerdns_api/client'
import { ace } from '#tests/support/app/commands'
import { OtherServer, testFolder } from '#tests/support/app/server'
import { eventually } from '#tests/support/eventually'
import { PowerDns } from '#tests/support/powerdns'

test.group('A database whose zones belong to another backend', (group) => {
  group.each.timeout(240_000)

  test('the start is refused, doctor reports it, and zones:sync switches to a named server but not back', async ({
    assert,
    cleanup,
  }) => {
    const DB_FILE = join(testFolder('choice'), 'own.sqlite3')
    const sql = { DB_CONNECTION: 'sqlite', DB_FILE, DNS_BACKEND: 'sql', PDNS_API_URL: '' }
    const dns = await PowerDns.start({ api: true, ownDatabase: true })
    cleanup(() => dns.stop())
    const url = new URL(dns.apiUrl!).origin
    const api = { ...sql, DNS_BACKEND: 'api', PDNS_API_URL: url, PDNS_API_KEY: dns.apiKey }
    await ace(['setup', '--admin=admin'], { variables: sql })
    const { stdout } = await ace(['api-key:create', 'admin', '--name=t'], { variables: sql })
    const { key } = JSON.parse(stdout) as { key: string }
    const call = async (server: OtherServer, method: string, path: string, body?: object) => {
      const answer = await fetch(`${server.url}/api/v2${path}`, {
        method,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      return { status: answer.status, body: (await answer.json()) as any }
    }

    // An empty database may belong to either backend.
    const early = await ace(['zones:sync'], { variables: api })
    assert.equal(early.code, 0, early.stderr)
    const first = await OtherServer.start(sql)
    cleanup(() => first.stop())
    for (const name of ['other.example', 'chosen.example']) {
      const created = await call(first, 'POST', '/zones', { name, type: 'NATIVE' })
      assert.equal(created.status, 201)
    }
    const { body } = await call(first, 'GET', '/zones?sort=name')
    const { id } = body.data.zones.find((zone: any) => zone.name === 'chosen.example')
    await call(first, 'POST', `/zones/${id}/records`, {
      name: 'www',
      type: 'A',
      content: '192.0.2.1',
    })
    await first.stop()

    await assert.rejects(() => OtherServer.start(api), /the zones in this database belong to "sql"/)
    const doctor = await ace(['doctor', '--json'], { variables: api })
    assert.equal(doctor.code, 1)
    assert.include(doctor.stdout, 'belong to \\"sql\\"')
    for (const words of [['zones:sync'], ['setup']]) {
      const refused = await ace(words, { variables: api })
      assert.equal(refused.code, 1)
      assert.include(refused.stderr + refused.stdout, 'belong to')
    }

    const client = new PowerDnsClient({ url, key: dns.apiKey, serverName: 'localhost' })
    for (const name of ['new.example.', 'chosen.example.']) {
      await client.send('POST', '/zones', { name, kind: 'Native', nameservers: [] })
    }
    const over = await ace(['setup', '--switch-backend'], { variables: api })
    assert.equal(over.code, 0, over.stderr)
    const second = await OtherServer.start(api)
    cleanup(() => second.stop())
    const zone = await call(second, 'GET', `/zones/${id}`)
    assert.equal(zone.body.data.zone.name, 'chosen.example')
    const owners = await call(second, 'GET', `/zones/${id}/owners`)
    assert.equal(owners.status, 200)
    const history = await call(second, 'GET', `/zones/${id}/history`)
    assert.isAtLeast(history.body.data.entries.length, 2)
    const listed = await call(second, 'GET', '/zones?sort=name')
    assert.deepEqual(
      listed.body.data.zones.map(({ name }: { name: string }) => name),
      ['chosen.example', 'new.example']
    )
    await second.stop()

    const back = await ace(['setup', '--switch-backend'], { variables: sql })
    assert.equal(back.code, 1)
    assert.include(back.stderr + back.stdout, 'needs its own database')
    await assert.rejects(() => OtherServer.start(sql), /the zones in this database belong to "api"/)
  })

  test('a process that could not check it at its start ends', async ({ assert, cleanup }) => {
    const DB_FILE = join(testFolder('choice'), 'own.sqlite3')
    const sql = { DB_CONNECTION: 'sqlite', DB_FILE, DNS_BACKEND: 'sql', PDNS_API_URL: '' }
    const api = { DNS_BACKEND: 'api', PDNS_API_URL: 'http://127.0.0.1:9', PDNS_API_KEY: 'x' }
    await ace(['setup', '--admin=admin'], { variables: sql })
    const database = new Sqlite(DB_FILE)
    cleanup(() => void database.close())
    const zone = "1, 'uid', 'a.example', 'example a', 0, '2026-01-01T00:00:00.000Z'"
    const columns = 'id, uid, name, name_key, last_entry, created_at'
    database.prepare(`insert into zw_zones (${columns}) values (${zone})`).run()
    database.prepare('alter table zw_installation rename to zw_away').run()
    const server = await OtherServer.start({ ...sql, ...api })
    cleanup(() => server.stop())
    database.prepare('alter table zw_away rename to zw_installation').run()
    database
      .prepare("insert or replace into zw_installation (name, value) values ('dns_backend', 'sql')")
      .run()
    await eventually(() => assert.rejects(() => server.get('/ping')), {
      within: 60_000,
      every: 500,
    })
    assert.include(server.log(), 'the zones in this database belong to')
  })
})
