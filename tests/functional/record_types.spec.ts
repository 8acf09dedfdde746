import { test } from '@japa/runner'
import { canonicalRecord, recordType, recordTypes } from '#dns/records/registry'
import { parseStrings } from '#dns/rdata_text'
import { caller, makeZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people'
import { PowerDns } from '#tests/support/powerdns'
import { runProgram } from '#tests/support/programs'
import { rawQuery } from '#tests/support/raw_query'
import { RECORD_TABLES } from '#tests/unit/dns/record_tables'

const APEX = 'example.org'

/** Types that a name server answers with something else than the record itself. */
const COMPUTED = new Set(['ALIAS', 'LUA'])

interface Row {
  type: string
  given: string
  stored: string
}

/** The valid rows of a type's tables. A SOA record is changed, not added. */
function rowsOf(type: string): Row[] {
  const { canonical, accepted } = RECORD_TABLES[type]
  return [
    ...canonical.map((content) => ({ type, given: content, stored: content })),
    ...accepted.map(([given, stored]) => ({ type, given, stored })),
  ]
}

/** A name of its own for each row, with the first labels that the type wants. */
function ownerOf(type: string, index: number): string {
  const special = RECORD_TABLES[type].name
  const labels = special === undefined || special === APEX ? [] : special.split('.').slice(0, -2)
  return [...labels.filter((label) => label.startsWith('_')), `r${index}`].join('.')
}

/** Hints that the server fills in where it is told to (svc-autohints), and leaves out otherwise. */
const AUTO_HINTS = / ipv[46]hint=auto/g

/** Data, in hexadecimal, of contents that dig does not read: an IPSECKEY (type 45) without a key. */
const IPSECKEY = 45
const WITHOUT_KEY: Record<string, string> = {
  '0 1 0 192.0.2.38': '000100c0000226',
  '10 0 0': '0a0000',
  '10 3 0 gateway': '0a0300076761746577617900',
}

/** Contents that the server answers for a name, delegations included; blanks inside are kept. */
async function answersOf(server: PowerDns, name: string, type: string): Promise<string[]> {
  const output = await runProgram('dig', [
    ...['-r', '@127.0.0.1', '-p', String(server.port), '-q', `${name}.`, '-t', type],
    ...['+norecurse', '+noall', '+answer', '+authority', '+nosplit', '+tcp', '+time=3'],
  ])
  return output.split('\n').flatMap((line) => {
    const found = /^\S+\s+\d+\s+IN\s+(\S+)\s+(.*)$/.exec(line)
    return found?.[1] === type ? [found[2]] : []
  })
}

/** What an answer means, in one form: names without final dot, strings as their bytes. */
function meaning(type: string, content: string, name: string, priority?: number): string {
  const known = recordType(type)
  const [, number, rest] = /^(\d+)\s+(.*)$/.exec(content) ?? []
  const isApart = priority === undefined && known?.priority === true
  const record = canonicalRecord({
    type,
    content: isApart ? rest : content,
    priority: isApart ? Number(number) : (priority ?? 0),
    disabled: false,
    name,
    apex: name.split('.').slice(-2).join('.'),
  })
  if (type === 'TXT' || type === 'SPF') {
    return Buffer.concat(parseStrings(record.content)).toString('hex')
  }
  return `${record.priority} ${record.content}`
}

test.group('Record types over the API and on the wire', (group) => {
  let as: Caller
  let server: PowerDns
  group.each.timeout(60_000)
  group.setup(async () => {
    server = await PowerDns.start({ settings: { 'enable-lua-records': 'yes' } })
    return () => server.stop()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
  })

  const editable = recordTypes().filter(({ writer }) => writer !== 'server')
  const served = editable.filter(({ since, type }) => since === undefined && type !== 'SOA')

  for (const { type } of served) {
    test(`each valid ${type} row is stored and answered with its meaning`, async ({ assert }) => {
      const zone = await makeZone(as, { name: zoneNamed() })
      const priority = RECORD_TABLES[type].priority ?? 0
      for (const [index, { given, stored }] of rowsOf(type).entries()) {
        const owner = ownerOf(type, index)
        const name = `${owner}.${zone.name}`
        const body = { name: owner, type, content: given, ttl: 60, priority }
        const response = await as.post(`/zones/${zone.id}/records`, body)
        assert.equal(response.status(), 201, `${given}: ${response.text()}`)
        if (COMPUTED.has(type)) {
          continue
        }
        if (type === 'IPSECKEY' && stored in WITHOUT_KEY) {
          const answer = await rawQuery(server.port, name, IPSECKEY)
          const data = Buffer.from(WITHOUT_KEY[stored], 'hex')
          const length = Buffer.from([0, data.length])
          assert.isTrue(answer.includes(Buffer.concat([length, data])), stored)
          continue
        }
        const answers = await answersOf(server, name, type)
        assert.deepEqual(
          answers.map((answer) => meaning(type, answer, name)),
          [meaning(type, stored.replace(AUTO_HINTS, ''), name, priority)],
          given
        )
      }
    })
  }

  for (const { type, since } of editable.filter((known) => known.since !== undefined)) {
    test(`${type} is refused for a PowerDNS older than ${since}`, async ({ assert }) => {
      const zone = await makeZone(as, { name: zoneNamed() })
      const [{ given }] = rowsOf(type)
      const body = { name: 'a', type, content: given }
      const response = await as.post(`/zones/${zone.id}/records`, body)
      response.assertStatus(400)
      assert.include(response.body().message, `needs PowerDNS ${since}`)
    })
  }

  for (const { type } of recordTypes().filter(({ writer }) => writer === 'server')) {
    test(`${type} is left to the name server`, async ({ assert }) => {
      const zone = await makeZone(as, { name: zoneNamed() })
      const body = { name: 'a', type, content: RECORD_TABLES[type].canonical[0] ?? 'x' }
      const response = await as.post(`/zones/${zone.id}/records`, body)
      response.assertStatus(400)
      assert.include(response.body().message, "Field 'type'")
    })
  }
})
