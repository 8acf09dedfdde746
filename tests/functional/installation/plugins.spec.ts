// @process
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { homePath } from '#support/home'
import { ace } from '#tests/support/app/commands'
import { OtherServer, testFolder } from '#tests/support/app/server'

/** Installs a package in a foreign node_modules folder, outside the product. */
function installed(): string {
  const folder = join(testFolder('package'), 'zonewright-memory')
  cpSync(homePath('tests/fixtures/zonewright-memory'), folder, { recursive: true })
  return join(folder, 'provider.js')
}

/** Creates a database with a backend from a package, selected by settings only. */
async function prepared() {
  const variables = {
    DB_CONNECTION: 'sqlite',
    DB_FILE: join(testFolder('plugins'), 'own.sqlite3'),
    PLUGINS_PROVIDERS: installed(),
    DNS_BACKEND: 'memory',
    PDNS_API_URL: '',
    PDNS_API_KEY: '',
  }
  const { code, stderr } = await ace(['setup', '--admin=admin'], { variables })
  if (code !== 0) throw new Error(stderr)
  const { stdout } = await ace(['api-key:create', 'admin', '--name=test'], { variables })
  return { variables, key: (JSON.parse(stdout) as { key: string }).key }
}

test.group('A backend from another package', (group) => {
  group.each.timeout(60_000)
  let variables: Record<string, string>
  let key: string
  group.setup(async () => {
    const { variables: own, key: ofAdmin } = await prepared()
    variables = own
    key = ofAdmin
  })

  test('a backend from a package is selected by settings, and supports zones, records, history and undo', async ({
    assert,
    cleanup,
  }) => {
    const server = await OtherServer.start(variables)
    cleanup(() => server.stop())
    const call = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${server.url}/api/v2${path}`, {
        method,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      return {
        status: answer.status,
        body: JSON.parse((await answer.text()) || 'null') as { data: any; message: string },
      }
    }
    const created = await call('POST', '/zones', { name: 'memory.example', type: 'MASTER' })
    assert.equal(created.status, 201, created.body.message)
    const zone = `/zones/${created.body.data.zone_id}`
    const record = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }
    const added = await call('POST', `${zone}/records`, record)
    assert.equal(added.status, 201, added.body.message)
    const again = await call('POST', `${zone}/records`, record)
    assert.equal(again.status, 409)
    const rrsets = await call('GET', `${zone}/rrsets?type=A`)
    assert.equal(rrsets.body.data.rrsets[0].records[0].content, '192.0.2.1')
    const put = await call('PUT', `${zone}/metadata/LUA-AXFR-SCRIPT`, { values: ['/a.lua'] })
    assert.equal(put.status, 200, put.body.message)

    const history = await call('GET', `${zone}/history`)
    const [, entry] = history.body.data.entries
    const undone = await call('POST', `${zone}/history/${entry.entry}/undo`)
    assert.equal(undone.status, 200, undone.body.message)
    const left = await call('GET', `${zone}/rrsets?type=A`)
    assert.deepEqual(left.body.data.rrsets, [])

    const signing = await call('POST', `${zone}/dnssec`)
    assert.equal(signing.status, 501)
    const rename = await call('PUT', zone, { name: 'other.example' })
    assert.equal(rename.status, 400)
    const deleted = await call('DELETE', zone)
    assert.include([200, 204], deleted.status)
  })

  test('an unknown backend or a missing package prevents the start', async ({ assert }) => {
    const missing = { ...variables, DNS_BACKEND: 'nowhere' }
    const zones = await ace(['zones:sync'], { variables: missing })
    assert.equal(zones.code, 1)
    assert.include(zones.stderr + zones.stdout, 'this installation has: sql, api, memory')
    const absent = { ...variables, PLUGINS_PROVIDERS: 'zonewright-nothing' }
    const other = await ace(['zones:sync'], { variables: absent })
    assert.equal(other.code, 1)
    assert.include(other.stderr + other.stdout, "plugins.providers: 'zonewright-nothing'")
    const doctor = await ace(['doctor', '--json'], { variables: missing })
    assert.equal(doctor.code, 1)
    assert.include(doctor.stdout, 'this installation has')
  })
})
