import { demand } from '#access/demand'
import type { ChangeContext } from '#changes/transaction/change_context'
import type { RecordAction, RecordInput, Revival, ZoneCreation } from '#changes/model/change_set'
import { authorOf, writeEntry } from '#changes/journal/write_entry'
import { today } from '#changes/model/clock'
import { withSerialOf } from '#changes/journal/net_changes'
import { desiredSteps } from '#changes/planning/target_rrsets'
import { runYielding } from '#database/event_loop'
import { storeComments } from '#changes/comments/comment_store'
import { RuleBroken } from '#changes/planning/rules'
import { writeTemplateLink } from '#changes/transaction/template_links'
import { reopenRequestsOf } from '#changes/requests/zone_gone'
import { restoreComments, takeFromTrash } from '#changes/journal/trash'
import { addOwners, addZoneRow } from '#changes/zone_index/zone_rows'
import { zoneState } from '#changes/journal/zone_state'
import type { ZonePlan, AppliedZone } from '#changes/model/zone_plan'
import type { NewZone } from '#backends/contract/backend'
import { isReplica } from '#backends/contract/zone_kinds'
import { diffSteps } from '#dns/diff'
import { zoneRuleSteps } from '#dns/rules'
import type { Violation } from '#dns/rules/violation'
import { nextSerial } from '#dns/rdata/serial'
import { serialOfSet } from '#dns/rdata/soa'
import type { RRset, RRsetChange } from '#dns/types'
import { conflict, notFound } from '#exceptions/refusal'

/** Plans a new zone with its first records, its zone row and its owners. */
export async function planCreation(
  context: ChangeContext,
  change: ZoneCreation
): Promise<ZonePlan> {
  const { actor } = context.set.intent
  demand(actor, { action: 'key.create_zones' })
  demand(actor, { action: 'zone.create', kind: change.zone.kind })
  demand(actor, { action: 'key.operate', operations: ['create'] })
  if (await context.session.findZoneByName(change.zone.name)) {
    throw conflict('Domain already exists')
  }
  const { revival } = change
  const actions = change.isKnown ? knownSets(change.records) : change.records.map(addition)
  const { rrsets: wanted, warnings: readings } = revival
    ? { rrsets: withNextSerial(revival), warnings: [] }
    : await runYielding(desiredSteps(change.zone, [], actions))
  const types = isReplica(change.zone) ? [] : wanted.map(({ type }) => type)
  demand(actor, { action: 'zone.serve', types, kinds: Object.keys(change.zone.metadata ?? {}) })
  const broken = revival || wanted.length === 0 ? [] : await brokenRules(change.zone, wanted)
  const warnings = [...(change.warnings ?? []), ...readings, ...broken]
  const changes = await runYielding(diffSteps([], wanted))
  const { name, kind, masters, account } = change.zone
  return {
    zoneId: null,
    zoneName: name,
    changes,
    properties: {
      before: null,
      after: { name, kind, masters, account, description: change.description },
    },
    serialBefore: null,
    serialAfter: serialOfSet(wanted.find((rrset) => rrset.type === 'SOA')),
    warnings,
    async apply() {
      return { ...(await create(context, change, changes)), warnings }
    },
  }
}

function addition(record: RecordInput): RecordAction {
  return { op: 'add', record }
}

/** Records without normalisation, by RRset. Names are absolute. */
function knownSets(records: RecordInput[]): RecordAction[] {
  const sets = Map.groupBy(records, ({ name, type }) => `${name} ${type}`)
  return [...sets.values()].map((set) => {
    const [{ name, type, ttl }] = set
    return { op: 'set', name, type, ttl, records: set, isKnown: true }
  })
}

async function create(
  { set, session, trx, tally }: ChangeContext,
  change: ZoneCreation,
  planned: RRsetChange[]
): Promise<Omit<AppliedZone, 'warnings'>> {
  const zone = await session.createZone(change.zone)
  const { revival } = change
  const row = await addZoneRow(trx, zone, change.description, tally, revival)
  if (revival) {
    await restoreComments(trx, zone, revival)
    if (!(await takeFromTrash(revival.trashId, trx))) {
      throw notFound('Deleted zone not found')
    }
    await reopenRequestsOf(trx, set.intent.actor, row)
  }
  await addOwners(trx, zone.id, change.owners)
  if (change.template) {
    await writeTemplateLink(trx, set.intent.actor, row, change.template)
  }
  if (change.comments) await storeComments(trx, zone, change.comments)
  const changes = await session.applyRRsets(zone, planned)
  const soa = planned.find((rrset) => rrset.type === 'SOA')?.after
  const serials = { serialBefore: null, serialAfter: serialOfSet(soa) }
  const entry = await writeEntry(trx, authorOf(set), zone, row, {
    changes,
    ...serials,
    zoneBefore: null,
    zoneAfter: await zoneState({ session, trx }, zone, change.description),
  })
  const { description } = change
  return { zone, description, changes, entry, lastEntry: entry, ...serials }
}

/** The former records of a zone with the serial after the last one, which replicas may know. */
function withNextSerial({ rrsets }: Revival): RRset[] {
  const serial = serialOfSet(rrsets.find(({ type }) => type === 'SOA'))
  return serial === null
    ? rrsets
    : rrsets.map((set) => withSerialOf(set, nextSerial(serial, today())))
}

/** Warnings about the first records. Throws `RuleBroken` at the first error. */
async function brokenRules({ name: apex }: NewZone, wanted: RRset[]): Promise<Violation[]> {
  const found = await runYielding(zoneRuleSteps(apex, wanted))
  const error = found.find(({ severity }) => severity === 'error')
  if (error) {
    throw new RuleBroken(error)
  }
  return found
}
