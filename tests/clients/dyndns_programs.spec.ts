import { test } from '@japa/runner'
import { OtherServer } from '#tests/support/app/server'
import { freePort } from '#tests/support/programs'
import { PowerDns } from '#tests/support/powerdns'
import { Ddclient, Inadyn, type ClientSetup } from '#tests/support/dyndns/programs'
import { addressesOf, dyndnsScene, entriesOf, type DyndnsScene } from '#tests/support/dyndns/scene'

let scene: DyndnsScene
let dns: PowerDns

/** Client configuration of the owner for the host of the scene. */
function setup(more: Partial<ClientSetup> = {}): ClientSetup {
  const { username, password } = scene.owner
  const port = Number(process.env.PORT)
  return { port, hosts: [scene.host], username, password, address: '198.51.100.1', ...more }
}

/** Addresses that the name server returns for a host. */
async function resolvedAddresses(host: string, type: 'A' | 'AAAA' = 'A'): Promise<string[]> {
  const { answers } = await dns.query(host, type)
  return answers.map(({ data }) => data)
}

/** Log messages of each client for success and failure. */
const CLIENTS = [
  {
    name: 'ddclient',
    make: () => new Ddclient(),
    success: /SUCCESS:\s+updating .*good/s,
    wrongPassword: /FAILED:\s+updating .*Bad authorization/s,
    notOwned: /FAILED:\s+updating .*does not exist/s,
    down: /FAILED:\s+updating .*Could not connect/s,
  },
  {
    name: 'inadyn',
    make: () => new Inadyn(),
    success: /Updating cache for/,
    wrongPassword: /\[200 OK\] badauth/,
    notOwned: /\[200 OK\] nohost/,
    down: /Failed connecting to/,
  },
]

for (const { name, make, ...says } of CLIENTS) {
  test.group(`${name}, as packaged by Debian`, (group) => {
    group.setup(async () => {
      dns = await PowerDns.start()
      return () => dns.stop()
    })
    group.each.setup(async (t) => {
      scene = await dyndnsScene(t.context.client)
    })

    test('updates a host once for each address', async ({ assert }) => {
      const client = make()
      const first = await client.run(setup())
      assert.match(first.log, says.success)
      assert.deepEqual(await resolvedAddresses(scene.host), ['198.51.100.1'])
      const entries = await entriesOf(scene.zone)
      await client.run(setup())
      assert.equal(await entriesOf(scene.zone), entries)
      const again = await make().run(setup())
      assert.equal(again.code, 0, again.log)
      assert.equal(await entriesOf(scene.zone), entries)
      const changed = await client.run(setup({ address: '198.51.100.2' }))
      assert.match(changed.log, says.success)
      assert.deepEqual(await resolvedAddresses(scene.host), ['198.51.100.2'])
    })

    test('updates two hosts and both address families', async ({ assert }) => {
      const hosts = [scene.host, `nas.${scene.zone.name}`]
      const both = await make().run(setup({ hosts }))
      assert.equal(both.code, 0, both.log)
      for (const host of hosts) {
        assert.deepEqual(await resolvedAddresses(host), ['198.51.100.1'], both.log)
      }
      const six = await make().run(setup({ hosts, address: '2001:db8::77' }))
      assert.equal(six.code, 0, six.log)
      assert.deepEqual(await addressesOf(scene.host), ['A 198.51.100.1', 'AAAA 2001:db8::77'])
      assert.deepEqual(await resolvedAddresses(scene.host, 'AAAA'), ['2001:db8::77'])
    })

    test('reports a wrong password and a foreign host as failures', async ({ assert }) => {
      const wrong = await make().run(setup({ password: 'bad' }))
      assert.match(wrong.log, says.wrongPassword)
      assert.notMatch(wrong.log, says.success)
      const foreign = await make().run(setup({ hosts: ['home.nowhere.test'] }))
      assert.match(foreign.log, says.notOwned)
      assert.notMatch(foreign.log, says.success)
      assert.deepEqual(await addressesOf(scene.host), [])
    })

    test('retries after the server is available again', async ({ assert }) => {
      const client = make()
      const nobody = await client.run(setup({ port: await freePort() }))
      assert.match(nobody.log, says.down)
      assert.notMatch(nobody.log, says.success)
      const server = await OtherServer.start({})
      try {
        // ddclient 3.10 stores an address that it could not send, and continues with the next one.
        const port = Number(new URL(server.url).port)
        const back = await client.run(setup({ port, address: '198.51.100.2' }))
        assert.match(back.log, says.success)
        assert.deepEqual(await resolvedAddresses(scene.host), ['198.51.100.2'])
      } finally {
        await server.stop()
      }
    })
  })
}
