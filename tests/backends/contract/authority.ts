import { test } from '@japa/runner'
import { Bench, rrset, type DriverUnderTest } from './bench.js'

/** Authority for names: empty non-terminals and delegations. */
export function registerAuthority(driver: DriverUnderTest): void {
  test.group(`${driver.name} driver: authority`, () => {
    test('an empty non-terminal exists while a name below it exists', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([
        ['a.b.c', 'A', ['192.0.2.1']],
        ['x.c', 'A', ['192.0.2.2']],
      ])
      const status = async (label: string) => {
        const answer = await bench.dns.query(`${label}.${zone.name}`, 'A')
        assert.deepEqual(answer.answers, [])
        return answer.status
      }
      assert.equal(await status('b.c'), 'NOERROR')
      assert.equal(await status('c'), 'NOERROR')
      assert.equal(await status('nope.c'), 'NXDOMAIN')

      await bench.remove(zone, [`a.b.c.${zone.name}`, 'A'])
      assert.equal(await status('b.c'), 'NXDOMAIN')
      assert.equal(await status('c'), 'NOERROR')
      await bench.remove(zone, [`x.c.${zone.name}`, 'A'])
      assert.equal(await status('c'), 'NXDOMAIN')
    })

    test('a name that loses its records above others becomes an empty non-terminal', async ({
      assert,
    }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([
        ['top', 'A', ['192.0.2.1']],
        ['below.top', 'A', ['192.0.2.2']],
      ])
      const name = `top.${zone.name}`
      await bench.put(zone, rrset(name, 'A', [{ content: '192.0.2.1', disabled: true }]))
      const disabled = await bench.dns.query(name, 'A')
      assert.deepEqual([disabled.status, disabled.answers], ['NOERROR', []])
      await bench.remove(zone, [name, 'A'])
      const removed = await bench.dns.query(name, 'A')
      assert.deepEqual([removed.status, removed.answers], ['NOERROR', []])
      await bench.put(zone, rrset(name, 'A', ['192.0.2.3']))
      const back = await bench.dns.query(name, 'A')
      assert.equal(back.answers[0].data, '192.0.2.3')
      const records = await bench.records(zone, 'A')
      assert.lengthOf(records, 2)
    })

    test('a delegation is a referral with its glue', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone()
      const cut = `sub.${zone.name}`
      await bench.put(
        zone,
        rrset(cut, 'NS', [`ns.${cut}`, 'ns.elsewhere.example']),
        rrset(`ns.${cut}`, 'A', ['192.0.2.53']),
        rrset(`ns.${cut}`, 'AAAA', ['2001:db8::53'])
      )
      for (const name of [cut, `any.${cut}`, `ns.${cut}`]) {
        const answer = await bench.dns.query(name, 'A')
        assert.equal(answer.status, 'NOERROR')
        assert.notInclude(answer.flags, 'aa')
        assert.deepEqual(answer.answers, [])
        assert.sameMembers(
          answer.authority.map(({ type, data }) => `${type} ${data}`),
          [`NS ns.${cut}.`, 'NS ns.elsewhere.example.']
        )
        assert.sameMembers(
          answer.additional.map(({ type, data }) => `${type} ${data}`),
          ['A 192.0.2.53', 'AAAA 2001:db8::53']
        )
      }
      const records = await bench.records(zone)
      const auth = new Map(records.map((record) => [`${record.name} ${record.type}`, record.auth]))
      assert.isFalse(auth.get(`${cut} NS`))
      assert.isFalse(auth.get(`ns.${cut} A`))
      assert.isTrue(auth.get(`${zone.name} NS`))
    })

    test('names below a delegation are not authoritative while it exists', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([
        ['sub', 'TXT', ['"at the cut"']],
        ['host.sub', 'A', ['192.0.2.1']],
        ['deep.er.sub', 'A', ['192.0.2.2']],
        ['subway', 'A', ['192.0.2.3']],
      ])
      const cut = `sub.${zone.name}`
      const isAuthoritative = async (name: string, type: string) => {
        const answer = await bench.dns.query(name, type)
        return answer.flags.includes('aa') && answer.answers.length === 1
      }
      await bench.put(zone, rrset(cut, 'NS', ['ns.elsewhere.example']))
      assert.isFalse(await isAuthoritative(cut, 'TXT'))
      assert.isFalse(await isAuthoritative(`host.${cut}`, 'A'))
      assert.isFalse(await isAuthoritative(`deep.er.${cut}`, 'A'))
      assert.isTrue(await isAuthoritative(`subway.${zone.name}`, 'A'))

      await bench.remove(zone, [cut, 'NS'])
      assert.isTrue(await isAuthoritative(cut, 'TXT'))
      assert.isTrue(await isAuthoritative(`host.${cut}`, 'A'))
      assert.isTrue(await isAuthoritative(`deep.er.${cut}`, 'A'))
      const records = await bench.records(zone)
      assert.isTrue(records.every((record) => record.auth))
    })

    test('a disabled delegation does not count', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([['host.sub', 'A', ['192.0.2.1']]])
      const cut = `sub.${zone.name}`
      const ns = { content: 'ns.elsewhere.example', disabled: true }
      await bench.put(zone, rrset(cut, 'NS', [ns]))
      const authoritative = await bench.dns.query(`host.${cut}`, 'A')
      assert.include(authoritative.flags, 'aa')
      await bench.put(zone, rrset(cut, 'NS', [{ ...ns, disabled: false }]))
      const referral = await bench.dns.query(`host.${cut}`, 'A')
      assert.notInclude(referral.flags, 'aa')
      await bench.put(zone, rrset(cut, 'NS', [ns]))
      const again = await bench.dns.query(`host.${cut}`, 'A')
      assert.include(again.flags, 'aa')
    })

    test('a delegation inside a delegation does not make the names between authoritative', async ({
      assert,
    }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([
        ['outer', 'NS', ['ns.elsewhere.example']],
        ['inner.outer', 'NS', ['ns.elsewhere.example']],
        ['host.inner.outer', 'A', ['192.0.2.1']],
        ['host.outer', 'A', ['192.0.2.2']],
      ])
      const auth = async () => {
        const records = await bench.records(zone, 'A')
        return records.map((record) => record.auth)
      }
      assert.deepEqual(await auth(), [false, false])
      await bench.remove(zone, [`inner.outer.${zone.name}`, 'NS'])
      assert.deepEqual(await auth(), [false, false])
      await bench.put(zone, rrset(`inner.outer.${zone.name}`, 'NS', ['ns.elsewhere.example']))
      await bench.remove(zone, [`outer.${zone.name}`, 'NS'])
      assert.deepEqual(await auth(), [false, true])
    })
  })
}
