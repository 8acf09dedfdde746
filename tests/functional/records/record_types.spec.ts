import { test } from '@japa/runner'
import { canonicalRecord, recordType, recordTypes } from '#dns/records/registry'
import { withFullTarget } from '#dns/names/short_targets'
import { parseStrings } from '#dns/rdata/character_strings'
import type { RecordData } from '#dns/types'
import { parseZoneFile } from '#dns/zonefile/index'
import { caller, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { PowerDns } from '#tests/support/powerdns'
import { runProgram } from '#tests/support/programs'
import { rawQuery } from '#tests/support/raw_query'
import { transferOf } from '#tests/support/powerdns'
import { RECORD_TABLES } from '#tests/unit/dns/support/record_tables'

const APEX = 'example.org'

/** Types that the name server computes for each answer. A transfer contains the record itself. */
const COMPUTED = ['ALIAS', 'LUA']

interface Row {
  type: string
  given: string
  stored: string
}

/** Returns the valid rows of a type's tables. An SOA record is changed, not added. */
function rowsOf(type: string): Row[] {
  const { canonical, accepted } = RECORD_TABLES[type]
  return [
    ...canonical.map((content) => ({ type, given: content, stored: content })),
    ...accepted.map(([given, stored]) => ({ type, given, stored })),
  ]
}

/** Returns a unique name for each row, with the first labels that the type requires. */
function ownerOf(type: string, index: number): string {
  const special = RECORD_TABLES[type].name
  const labels = special === undefined || special === APEX ? [] : special.split('.').slice(0, -2)
  return [...labels.filter((label) => label.startsWith('_')), `r${index}`].join('.')
}

/** Hints that the server fills in with `svc-autohints`, and leaves out otherwise. */
const AUTO_HINTS = / ipv[46]hint=auto/g

/** Hexadecimal data of contents that dig does not read: an IPSECKEY (type 45) without a key. */
const IPSECKEY = 45
const WITHOUT_KEY: Record<string, string> = {
  '0 1 0 192.0.2.38': '000100c0000226',
  '10 0 0': '0a0000',
  '10 3 0 gateway': '0a0300076761746577617900',
}

/** Answer of the server for a name, delegations included. */
interface Answers {
  /** Contents in the format of dig. Inner blanks are preserved. */
  texts: string[]
  /** Records of the same answer as generic data (RFC 3597). */
  records: RecordData[]
}

async function answersOf(server: PowerDns, name: string, type: string): Promise<Answers> {
  const question = ['-q', `${name}.`, '-t', type]
  const output = await runProgram('dig', [
    ...['-r', '@127.0.0.1', '-p', String(server.port), '+norecurse', '+noall', '+answer'],
    ...['+authority', '+nosplit', '+tcp', '+time=3'],
    ...[...question, ...question, '+unknownformat'],
  ])
  const lines = output.split('\n')
  const texts = lines.flatMap((line) => {
    const found = /^\S+\s+\d+\s+IN\s+(\S+)\s+(.*)$/.exec(line)
    return found?.[1] === type ? [found[2]] : []
  })
  const generic = lines.filter((line) => /\sCLASS1\s+TYPE\d+\s+\\#\s/.test(line))
  return { texts, records: recordsIn(generic.join('\n'), name, type) }
}

/** Returns the records of one name and type in a zone file. Throws if the reader refuses one. */
function recordsIn(file: string, name: string, type: string): RecordData[] {
  const { rrsets, problems } = parseZoneFile(file, { origin: apexOf(name) })
  const own = rrsets.find((set) => set.name === name && set.type === type)
  if (!own && problems.length > 0) throw new Error(problems[0].message)
  return own?.records ?? []
}

function apexOf(name: string): string {
  return name.split('.').slice(-2).join('.')
}

/** Normalizes an answer: names without a final dot, strings as their bytes. */
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
    apex: apexOf(name),
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
    test(`each valid ${type} row is stored and served with its meaning`, async ({ assert }) => {
      const zone = await createZone(as, { name: zoneNamed() })
      const priority = RECORD_TABLES[type].priority ?? 0
      for (const [index, { given, stored }] of rowsOf(type).entries()) {
        const owner = ownerOf(type, index)
        const name = `${owner}.${zone.name}`
        // The test uses a target of one label as a top-level name.
        const full = withFullTarget(type, given, '')
        const content = full === given ? given : full.replaceAll('..', '.')
        const body = { name: owner, type, content, ttl: 60, priority }
        const response = await as.post(`/zones/${zone.id}/records`, body)
        assert.equal(response.status(), 201, `${given}: ${response.text()}`)
        if (COMPUTED.includes(type)) continue
        if (type === 'IPSECKEY' && stored in WITHOUT_KEY) {
          const answer = await rawQuery(server.port, name, IPSECKEY)
          const data = Buffer.from(WITHOUT_KEY[stored], 'hex')
          const length = Buffer.from([0, data.length])
          assert.isTrue(answer.includes(Buffer.concat([length, data])), stored)
          const generic = `\\# ${data.length} ${data.toString('hex')}`
          assert.equal(meaning(type, generic, name), meaning(type, stored, name))
          continue
        }
        const { texts, records } = await answersOf(server, name, type)
        const expected = meaning(type, stored.replace(AUTO_HINTS, ''), name, priority)
        assert.deepEqual(
          texts.map((text) => meaning(type, text, name)),
          [expected],
          given
        )
        assert.deepEqual(
          records.map((record) => meaning(type, record.content, name, record.priority)),
          [expected],
          `${given} as generic data`
        )
      }
      if (!COMPUTED.includes(type)) return
      const file = await transferOf(server, zone.name)
      for (const [index, { given, stored }] of rowsOf(type).entries()) {
        const name = `${ownerOf(type, index)}.${zone.name}`
        if (type === 'LUA') {
          // The result of the code is not tested. A successful run shows that the code was transferred unchanged.
          const { texts } = await answersOf(server, name, stored.split(' ')[0])
          assert.lengthOf(texts, 1, given)
          // Transfers of PowerDNS omit the backslashes of Lua code.
          if (stored.includes('\\')) continue
        }
        assert.deepEqual(
          recordsIn(file, name, type).map(({ content }) => content),
          [stored],
          given
        )
      }
    })
  }

  test('each valid SOA row is stored and served with its meaning', async ({ assert }) => {
    for (const { given, stored } of rowsOf('SOA')) {
      const zone = await createZone(as, { name: zoneNamed() })
      const list = await as.get(`/zones/${zone.id}/records?type=SOA`)
      const [{ id }] = list.body().data.records
      const response = await as.put(`/zones/${zone.id}/records/${id}`, { content: given })
      assert.equal(response.status(), 200, `${given}: ${response.text()}`)
      const { texts, records } = await answersOf(server, zone.name, 'SOA')
      const expected = [meaning('SOA', stored, zone.name, 0)]
      assert.deepEqual(
        texts.map((text) => meaning('SOA', text, zone.name)),
        expected,
        given
      )
      assert.deepEqual(
        records.map(({ content }) => meaning('SOA', content, zone.name)),
        expected,
        `${given} as generic data`
      )
    }
  })

  for (const { type, since } of editable.filter((known) => known.since !== undefined)) {
    test(`${type} is refused for a PowerDNS older than ${since}`, async ({ assert }) => {
      const zone = await createZone(as, { name: zoneNamed() })
      const [{ given }] = rowsOf(type)
      const body = { name: 'a', type, content: given }
      const response = await as.post(`/zones/${zone.id}/records`, body)
      response.assertStatus(400)
      assert.include(response.body().message, `needs PowerDNS ${since}`)
    })
  }

  for (const { type } of recordTypes().filter(({ writer }) => writer === 'server')) {
    test(`${type} is only written by the name server`, async ({ assert }) => {
      const zone = await createZone(as, { name: zoneNamed() })
      const body = { name: 'a', type, content: RECORD_TABLES[type].canonical[0] ?? 'x' }
      const response = await as.post(`/zones/${zone.id}/records`, body)
      response.assertStatus(400)
      assert.include(response.body().message, "Field 'type'")
    })
  }
})
