import type { Assert } from '@japa/assert'
import { presentContent } from '#dns/records/registry'
import type { PowerDns } from '#tests/support/powerdns'
import { type ApiCalls, dataOf } from '#tests/support/faults/api_calls'
import { contradictionsIn, recordRowsOf } from '#tests/support/faults/zone_history'
import { describeRows, rowsOf } from '../../backends/contract/rows.js'

type Zone = { id: number; name: string }
type Shown = { id: number; name: string; type: string; content: string }

const line = ({ id, name, type, content }: Shown) => `${id} ${name} ${type} ${content}`

/** Asserts that journal and rows of the zone agree, and that the API returns these rows. */
export async function assertWhole(assert: Assert, api: ApiCalls, zone: Zone): Promise<void> {
  assert.deepEqual(await contradictionsIn(zone.id), [], zone.name)
  const answer = await api.get(`/zones/${zone.id}/records`)
  const shown: Shown[] = dataOf(answer).records
  const rows = await recordRowsOf(zone.id)
  const stored = rows.map((row) => ({
    ...row,
    content: presentContent(row.type, row.content),
  }))
  assert.sameMembers(shown.map(line), stored.map(line))
}

/** Asserts that rectifying the zone with PowerDNS changes nothing. */
export async function assertRectified(assert: Assert, dns: PowerDns, zone: Zone): Promise<void> {
  // PowerDNS does not read order names in unsigned zones.
  const before = describeRows(await rowsOf(zone.name), false)
  await dns.util('rectify-zone', zone.name)
  const after = describeRows(await rowsOf(zone.name), false)
  assert.deepEqual(before, after, `${zone.name}: rectify-zone changes rows`)
}

/** Asserts that PowerDNS serves the rows of the table with the same serial, at every name that no delegation hides. */
export async function assertServed(assert: Assert, dns: PowerDns, zone: Zone): Promise<void> {
  const rows = await recordRowsOf(zone.id)
  const cuts = rows.filter(({ type }) => type === 'NS').map(({ name }) => name)
  const isHidden = (name: string) => cuts.some((cut) => name === cut || name.endsWith(`.${cut}`))
  const visible = rows.filter(({ name, disabled }) => !disabled && !isHidden(name))
  const sets = Map.groupBy(visible, ({ name, type }) => `${name} ${type}`)
  for (const [key, records] of sets) {
    const [name, type] = key.split(' ')
    const { answers } = await dns.query(name, type, { tcp: true })
    const data = answers.map((answer) => answer.data)
    if (type === 'SOA') {
      assert.equal(data[0].split(' ')[2], records[0].content.split(' ')[2], key)
    } else {
      assert.sameMembers(
        data,
        records.map(({ content }) => content),
        key
      )
    }
  }
}
