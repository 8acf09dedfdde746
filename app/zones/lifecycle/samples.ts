import { inject } from '@adonisjs/core'
import logger from '@adonisjs/core/services/logger'
import type { Actor } from '#access/actor'
import { BackendUnavailable, CapabilityMissing, WriteRefused } from '#backends/contract/errors'
import { intentOf } from '#changes/model/intent'
import { appliedResult } from '#changes/model/outcome'
import { InvalidDns } from '#dns/errors'
import { withoutValues } from '#exceptions/database_errors'
import { Refusal } from '#exceptions/refusal'
import { CreateZone } from '#zones/lifecycle/create'
import { ZoneDirectory } from '#zones/directory'
import { RecordBulk, type BulkOperation } from '#zones/records/bulk'

/** Description of every sample zone. Users find and delete sample zones by it. */
export const SAMPLE_DESCRIPTION = 'Sample zone to explore. Delete it when you no longer need it.'

const REASON = 'Sample data'

/** Names and addresses that are reserved for examples (RFC 2606, RFC 5737, RFC 3849). */
const SAMPLES: {
  name: string
  records: [name: string, type: string, content: string, priority?: number][]
}[] = [
  {
    name: 'sample.test',
    records: [
      ['@', 'A', '192.0.2.10'],
      ['@', 'AAAA', '2001:db8::10'],
      ['www', 'CNAME', 'sample.test.'],
      ['@', 'MX', 'mail.sample.test.', 10],
      ['mail', 'A', '192.0.2.25'],
      ['mail', 'AAAA', '2001:db8::25'],
      ['@', 'TXT', '"v=spf1 mx -all"'],
      ['_dmarc', 'TXT', '"v=DMARC1; p=quarantine; rua=mailto:postmaster@sample.test"'],
      ['@', 'CAA', '0 issue "letsencrypt.org"'],
      ['_sip._tcp', 'SRV', '5 5060 sip.sample.test.', 10],
      ['sip', 'A', '192.0.2.60'],
    ],
  },
  {
    name: '2.0.192.in-addr.arpa',
    records: [
      ['10', 'PTR', 'sample.test.'],
      ['25', 'PTR', 'mail.sample.test.'],
      ['60', 'PTR', 'sip.sample.test.'],
    ],
  },
]

/** Sample zones for evaluation. They are ordinary zones. */
@inject()
export class SampleZones {
  constructor(
    private readonly creation: CreateZone,
    private readonly directory: ZoneDirectory,
    private readonly bulk: RecordBulk
  ) {}

  /** Creates the sample zones and returns the names of those that were created. */
  async make(actor: Actor): Promise<string[]> {
    const created: string[] = []
    for (const { name, records } of SAMPLES) {
      try {
        const input = { name, description: SAMPLE_DESCRIPTION }
        const draft = await this.creation.prepare(actor, input)
        const intent = intentOf(actor, { reason: REASON })
        const { zone } = await appliedResult(this.creation.finish(intent, draft))
        created.push(zone.name)
        const openedZone = await this.directory.open(actor, zone.id, 'zone.edit_records')
        const operations: BulkOperation[] = records.map(([owner, type, content, priority]) => {
          return { action: 'create', name: owner, type, content, priority }
        })
        await appliedResult(this.bulk.handle(intent, openedZone, operations))
      } catch (error) {
        // A sample zone may exist, or the name server may not be set up yet. Both are no failure of
        // the installation.
        if (!isExpected(error)) throw error
        logger.warn({ err: withoutValues(error), zone: name }, 'Creation of a sample zone failed')
        // The other zones would wait for the same timeout.
        if (error instanceof BackendUnavailable) break
      }
    }
    return created
  }
}

/** Returns whether the error is an expected refusal instead of a fault. */
function isExpected(error: unknown): boolean {
  return [Refusal, InvalidDns, BackendUnavailable, WriteRefused, CapabilityMissing].some(
    (kind) => error instanceof kind
  )
}
