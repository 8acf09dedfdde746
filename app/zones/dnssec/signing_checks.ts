import type { BackendZone, DnsBackend, StoredRecord } from '#backends/contract/backend'
import { InvalidDns } from '#dns/errors'
import { parseSoa } from '#dns/rdata/soa'
import { invalid } from '#exceptions/refusal'
import { WHOLE_LIST } from '#lists/query'

/** An obstacle to signing, and its remedy. */
interface Problem {
  text: string
  hint: string
}

const NO_SOA: Problem = {
  text: 'The zone has no active SOA record',
  hint: 'Add an SOA record, or enable the existing one; a secondary zone gets it with its first transfer',
}
const SEVERAL_SOA: Problem = {
  text: 'The zone has more than one SOA record',
  hint: 'Delete all SOA records except one at the apex',
}
const NO_NS: Problem = {
  text: 'The zone has no active NS record at its apex',
  hint: 'Add an NS record at the apex for each name server of the zone',
}

/** Throws a 400 `Refusal` that lists all obstacles to signing. */
export async function checkSignable(backend: DnsBackend, zone: BackendZone): Promise<void> {
  const [soa, apex] = await Promise.all([
    activeSoa(backend, zone),
    backend.rrsetsAt(zone, [zone.name]),
  ])
  const isDelegated = apex.some(
    ({ type, records }) => type === 'NS' && records.some(({ disabled }) => !disabled)
  )
  const problems = [...soaProblems(zone, soa), ...(isDelegated ? [] : [NO_NS])]
  if (problems.length > 0) {
    const lines = problems.map(({ text, hint }) => `- ${text}.\n  ${hint}.`)
    throw invalid(`The zone cannot be signed:\n${lines.join('\n')}`)
  }
}

function soaProblems(zone: BackendZone, records: StoredRecord[]): Problem[] {
  if (records.length === 0) {
    return [NO_SOA]
  }
  const strays = records.filter(({ name }) => name !== zone.name)
  return [
    ...(records.length > 1 ? [SEVERAL_SOA] : []),
    ...strays.map(({ name }) => ({
      text: `An SOA record is at '${name}', which is not the apex '${zone.name}'`,
      hint: 'Delete it, or move it to the apex',
    })),
    ...records.flatMap(({ content }) => contentProblem(content)),
  ]
}

function contentProblem(content: string): Problem[] {
  try {
    parseSoa(content)
    return []
  } catch (error) {
    if (!(error instanceof InvalidDns)) {
      throw error
    }
    return [{ text: `The SOA record is malformed: ${error.message}`, hint: 'Correct its content' }]
  }
}

async function activeSoa(backend: DnsBackend, zone: BackendZone): Promise<StoredRecord[]> {
  const query = { ...WHOLE_LIST, filters: { type: 'SOA' } }
  const { rows } = await backend.listRecords(zone, query)
  return rows.filter(({ disabled }) => !disabled)
}
