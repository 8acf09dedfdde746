// @databases
import { test } from '@japa/runner'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { type Answer, ApiCalls, dataOf, envelopeOf } from '#tests/support/faults/api_calls'
import { ServerProcess } from '#tests/support/faults/server_process'
import { assertWhole } from '#tests/support/faults/verdict'
import { entriesOf, recordRowsOf } from '#tests/support/faults/zone_history'

const CLIENTS = 50
const NAME = '_acme-challenge'

type Zone = { id: number; name: string }

/** All ways to add a token without losing those of others. */
const WAYS: ((api: ApiCalls, zone: Zone, content: string) => Promise<Answer>)[] = [
  (api, { id }, content) =>
    api.post(`/zones/${id}/records`, { name: NAME, type: 'TXT', content, ttl: 300 }),

  (api, { id }, content) =>
    api.post(`/zones/${id}/records/bulk`, {
      operations: [{ action: 'create', name: NAME, type: 'TXT', content, ttl: 300 }],
    }),

  (api, { name }, content) =>
    api.post('/changes', {
      actions: [
        { op: 'add', name: `${NAME}.${name}`, type: 'TXT', ttl: 300, records: [{ content }] },
      ],
    }),

  // Reads the RRset and writes it with one more record under a precondition. Repeats after a conflict.
  async (api, { id }, content) => {
    const path = `/zones/${id}/rrsets`
    for (;;) {
      const read = await api.get(`${path}/${NAME}/TXT`)
      const existing = read.status === 200 ? dataOf(read).rrset.records : []
      const records = [...existing, { content }]
      const terms: Record<string, string> = read.tag
        ? { 'if-match': read.tag }
        : { 'if-none-match': '*' }
      const answer = await api.put(path, { name: NAME, type: 'TXT', ttl: 300, records }, terms)
      if (answer.status !== 412) return answer
    }
  },
]

test.group('Conditional writers at two servers', (group) => {
  let nodes: [ApiCalls, ApiCalls]

  group.setup(async () => {
    const { key } = await administrator()
    const servers = await Promise.all([ServerProcess.start(), ServerProcess.start()])
    nodes = [new ApiCalls(servers[0].url, key), new ApiCalls(servers[1].url, key)]
    return async () => {
      await Promise.all(servers.map((server) => server.stop()))
    }
  })

  async function createZone(): Promise<Zone> {
    const name = zoneNamed()
    const answer = await nodes[0].post('/zones', { name })
    return { id: dataOf(answer).zone_id, name }
  }

  test('50 clients add a token at one name by records, bulk, change sets and RRsets, and none is lost', async ({
    assert,
  }) => {
    const zone = await createZone()
    const contents = Array.from({ length: CLIENTS }, (_, i) => `"token-${i}"`)
    const answers = await Promise.all(
      contents.map((content, i) => WAYS[i % WAYS.length](nodes[i % 2], zone, content))
    )
    const failed = answers.filter(({ status }) => status !== 200 && status !== 201)
    assert.deepEqual(
      failed.map(({ status, text }) => `${status} ${text}`),
      []
    )
    const rows = await recordRowsOf(zone.id)
    const tokens = rows.filter(({ type }) => type === 'TXT')
    assert.sameMembers(
      tokens.map(({ content }) => content),
      contents
    )
    assert.lengthOf(rows, CLIENTS + 1, 'one SOA record beside the tokens')
    const entries = await entriesOf(zone.id)
    const serials = entries.map(({ serialAfter }) => serialAfter!)
    assert.isAtMost(serials.at(-1)! - serials[0], CLIENTS)
    await assertWhole(assert, nodes[0], zone)
  }).timeout(120_000)

  test('the second of two scripts that replace the same RRset gets a conflict with the unknown record', async ({
    assert,
  }) => {
    const zone = await createZone()
    const path = `/zones/${zone.id}/rrsets`
    const wish = (content: string) => ({ name: 'www', type: 'A', ttl: 300, records: [{ content }] })
    await nodes[0].put(path, wish('192.0.2.1'))
    for (let round = 0; round < 10; round += 1) {
      const read = await Promise.all(nodes.map((api) => api.get(`${path}/www/A`)))
      assert.equal(read[0].tag, read[1].tag)
      const contents = [`198.51.100.${round}`, `203.0.113.${round}`]
      const answers = await Promise.all(
        nodes.map((api, i) => api.put(path, wish(contents[i]), { 'if-match': read[i].tag ?? '' }))
      )
      assert.sameMembers(
        answers.map(({ status }) => status),
        [200, 412]
      )
      const first = answers.findIndex(({ status }) => status === 200)
      const lateAnswer = answers[1 - first]
      const { current } = envelopeOf(lateAnswer).data
      assert.deepEqual(
        current.records.map((record: { content: string }) => record.content),
        [contents[first]]
      )
      assert.equal(lateAnswer.tag, answers[first].tag)
      // With the returned entity tag the write succeeds.
      const secondAnswer = await nodes[1 - first].put(path, wish(contents[1 - first]), {
        'if-match': lateAnswer.tag ?? '',
      })
      assert.equal(secondAnswer.status, 200, secondAnswer.text)
    }
    await assertWhole(assert, nodes[0], zone)
  }).timeout(120_000)
})
