import { test } from '@japa/runner'
import { Bench, rrset, type DriverUnderTest, type Short } from './bench.js'

/** Owner, type, written contents, expected DNS answer (`$` stands for the zone's name). */
const SERVED: [owner: string, type: string, written: Short[], answered: string[]][] = [
  ['host', 'A', ['192.0.2.1', '192.0.2.2'], ['192.0.2.1', '192.0.2.2']],
  ['host', 'AAAA', ['2001:db8::1'], ['2001:db8::1']],
  ['alias', 'CNAME', ['host.$'], ['host.$.']],
  [
    '@',
    'MX',
    [
      { content: 'mail.$', priority: 10 },
      { content: 'mail.elsewhere.example', priority: 65535 },
    ],
    ['10 mail.$.', '65535 mail.elsewhere.example.'],
  ],
  ['@', 'NS', ['ns1.$', 'ns2.elsewhere.example'], ['ns1.$.', 'ns2.elsewhere.example.']],
  ['7', 'PTR', ['host.$'], ['host.$.']],
  ['_sip._tcp', 'SRV', [{ content: '20 5060 host.$', priority: 5 }], ['5 20 5060 host.$.']],
  [
    'text',
    'TXT',
    ['"plain"', '"two" "parts"', String.raw`"a \"quote\" and a \\"`, '"v=spf1 -all; x"'],
    ['"plain"', '"two" "parts"', String.raw`"a \"quote\" and a \\"`, '"v=spf1 -all; x"'],
  ],
  ['@', 'CAA', ['0 issue "ca.example"'], ['0 issue "ca.example"']],
  ['_under.score-1', 'A', ['192.0.2.8'], ['192.0.2.8']],
]

function fill(short: Short, zone: string): Short {
  return typeof short === 'string'
    ? short.replace('$', zone)
    : { ...short, content: short.content.replace('$', zone) }
}

/** DNS answers match the written records. */
export function registerAnswers(driver: DriverUnderTest): void {
  test.group(`${driver.name} driver: answers`, () => {
    test('{1} at {0} is answered with the same meaning')
      .with(SERVED)
      .run(async ({ assert }, [owner, type, written, answered]) => {
        const bench = await Bench.of(driver)
        const zone = await bench.zone()
        const name = owner === '@' ? zone.name : `${owner}.${zone.name}`
        const records = written.map((short) => fill(short, zone.name))
        await bench.put(zone, rrset(name, type, records, 1234))

        for (const tcp of [false, true]) {
          const answer = await bench.dns.query(name, type, { tcp })
          assert.equal(answer.status, 'NOERROR')
          assert.include(answer.flags, 'aa')
          const ownAnswers = answer.answers.filter((record) => record.name === `${name}.`)
          assert.sameMembers(
            ownAnswers.map(({ ttl, data }) => `${ttl} ${data}`),
            answered.map((data) => `1234 ${data.replace('$', zone.name)}`)
          )
        }
        const stored = await bench.stored(zone, name, type)
        assert.sameDeepMembers(
          stored!.records.map(({ id, auth, ...record }) => record),
          rrset(name, type, records).records
        )
      })

    test('a long text is served completely', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone()
      const parts = Array.from({ length: 16 }, (_, i) => `"${String(i).padStart(255, '.')}"`)
      const content = parts.join(' ')
      await bench.put(zone, rrset(`long.${zone.name}`, 'TXT', [content]))
      const answer = await bench.dns.query(`long.${zone.name}`, 'TXT', { tcp: true })
      assert.equal(answer.answers[0].data, content)
    })

    test('a deleted RRset is NODATA while its name exists, and NXDOMAIN afterwards', async ({
      assert,
    }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([
        ['www', 'A', ['192.0.2.1']],
        ['www', 'TXT', ['"x"']],
      ])
      const name = `www.${zone.name}`
      await bench.remove(zone, [name, 'A'])
      const noData = await bench.dns.query(name, 'A')
      assert.deepEqual([noData.status, noData.answers], ['NOERROR', []])
      assert.equal(noData.authority[0].type, 'SOA')
      await bench.remove(zone, [name, 'TXT'])
      const deletedAnswer = await bench.dns.query(name, 'A')
      assert.equal(deletedAnswer.status, 'NXDOMAIN')
      assert.deepEqual(await bench.backend.rrsetsAt(zone, [name]), [])
    })

    test('disabled records are stored but not answered', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([
        ['some', 'A', ['192.0.2.1', { content: '192.0.2.2', disabled: true }]],
        ['none', 'A', [{ content: '192.0.2.3', disabled: true }]],
      ])
      const some = await bench.dns.query(`some.${zone.name}`, 'A')
      assert.deepEqual(
        some.answers.map(({ data }) => data),
        ['192.0.2.1']
      )
      const none = await bench.dns.query(`none.${zone.name}`, 'A')
      assert.equal(none.status, 'NXDOMAIN')
      assert.lengthOf((await bench.stored(zone, `some.${zone.name}`, 'A'))!.records, 2)

      await bench.put(zone, rrset(`none.${zone.name}`, 'A', ['192.0.2.3']))
      const enabled = await bench.dns.query(`none.${zone.name}`, 'A')
      assert.deepEqual(
        enabled.answers.map(({ data }) => data),
        ['192.0.2.3']
      )
    })

    test('a wildcard answers only for names that do not exist', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([
        ['*.wild', 'A', ['192.0.2.7']],
        ['real.wild', 'TXT', ['"real"']],
      ])
      const wildcardAnswer = await bench.dns.query(`any.thing.wild.${zone.name}`, 'A')
      assert.deepEqual(
        wildcardAnswer.answers.map(({ data }) => data),
        ['192.0.2.7']
      )
      const real = await bench.dns.query(`real.wild.${zone.name}`, 'A')
      assert.deepEqual([real.status, real.answers], ['NOERROR', []])
      await bench.remove(zone, [`*.wild.${zone.name}`, 'A'])
      const deletedAnswer = await bench.dns.query(`any.wild.${zone.name}`, 'A')
      assert.equal(deletedAnswer.status, 'NXDOMAIN')
    })

    test('an RRset of hundreds of records and a change of thousands of names are answered', async ({
      assert,
    }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone()
      const address = (i: number) => `10.1.${i >> 8}.${i & 255}`
      const many = rrset(
        `many.${zone.name}`,
        'A',
        Array.from({ length: 400 }, (_, i) => address(i))
      )
      const hosts = Array.from({ length: 2500 }, (_, i) =>
        rrset(`h${i}.dept${i % 7}.${zone.name}`, 'A', [address(i)])
      )
      await bench.put(zone, many, ...hosts)
      const set = await bench.dns.query(many.name, 'A', { tcp: true })
      assert.lengthOf(set.answers, 400)
      const last = await bench.dns.query(`h2499.dept0.${zone.name}`, 'A')
      assert.equal(last.answers[0].data, address(2499))
      const total = await bench.count(zone, 'A')
      assert.equal(total, 2900)

      await bench.remove(zone, ...hosts.map(({ name }): [string, string] => [name, 'A']))
      const deletedAnswer = await bench.dns.query(`dept0.${zone.name}`, 'A')
      assert.equal(deletedAnswer.status, 'NXDOMAIN')
    })
  })
}
