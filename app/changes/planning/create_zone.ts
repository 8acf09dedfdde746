import { demand } from '#access/demand'
import type { ChangeContext } from '#changes/transaction/change_context'
import type {
  RecordAction,
  RecordInput,
  RestoredZone,
  ZoneCreation,
} from '#changes/model/change_set'
import { journalAuthorOf, writeEntry } from '#changes/journal/write_entry'
import { today } from '#changes/model/clock'
import { withSerial } from '#changes/journal/net_changes'
import { targetSteps } from '#changes/planning/target_rrsets'
import { runYielding } from '#database/event_loop'
import { storeComments } from '#changes/comments/comment_store'
import { RuleViolated } from '#changes/planning/rules'
import { writeTemplateLink } from '#changes/transaction/template_links'
import { reopenRequestsOf } from '#changes/requests/zone_gone'
import { restoreComments, takeFromTrash } from '#changes/journal/trash'
import { addOwners, addZoneRow } from '#changes/zone_index/zone_rows'
import { readZoneState } from '#changes/journal/zone_state'
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
  const { restored } = change
  const actions = change.isKnown ? setActions(change.records) : change.records.map(addAction)
  const { rrsets: plannedSets, warnings: parseWarnings } = restored
    ? { rrsets: withNextSerial(restored), warnings: [] }
    : await runYielding(targetSteps(change.zone, [], actions))
  const types = isReplica(change.zone) ? [] : plannedSets.map(({ type }) => type)
  demand(actor, { action: 'zone.serve', types, kinds: Object.keys(change.zone.metadata ?? {}) })
  const ruleWarnings =
    restored || plannedSets.length === 0 ? [] : await findRuleWarnings(change.zone, plannedSets)
  const warnings = [...(change.warnings ?? []), ...parseWarnings, ...ruleWarnings]
  const changes = await runYielding(diffSteps([], plannedSets))
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
    serialAfter: serialOfSet(plannedSets.find((rrset) => rrset.type === 'SOA')),
    warnings,
    async apply() {
      return { ...(await create(context, change, changes)), warnings }
    },
  }
}

function addAction(record: RecordInput): RecordAction {
  return { op: 'add', record }
}

/** Records without normalisation, by RRset. Names are absolute. */
function setActions(records: RecordInput[]): RecordAction[] {
  const sets = Map.groupBy(records, ({ name, type }) => `${name} ${type}`)
  return [...sets.values()].map((set) => {
    const [{ name, type, ttl }] = set
    return { op: 'set', name, type, ttl, records: set, isKnown: true }
  })
}

async function create(
  { set, session, trx, countChange }: ChangeContext,
  change: ZoneCreation,
  planned: RRsetChange[]
): Promise<Omit<AppliedZone, 'warnings'>> {
  const zone = await session.createZone(change.zone)
  const { restored } = change
  const row = await addZoneRow(trx, zone, change.description, countChange, restored)
  if (restored) {
    await restoreComments(trx, zone, restored)
    if (!(await takeFromTrash(restored.trashId, trx))) {
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
  const entry = await writeEntry(trx, journalAuthorOf(set), zone, row, {
    changes,
    ...serials,
    zoneBefore: null,
    zoneAfter: await readZoneState({ session, trx }, zone, change.description),
  })
  const { description } = change
  return { zone, description, changes, entry, lastEntry: entry, ...serials }
}

/** The former records of a zone with the serial after the last one, which replicas may know. */
function withNextSerial({ rrsets }: RestoredZone): RRset[] {
  const serial = serialOfSet(rrsets.find(({ type }) => type === 'SOA'))
  return serial === null
    ? rrsets
    : rrsets.map((set) => withSerial(set, nextSerial(serial, today())))
}

/** Warnings about the first records. Throws `RuleViolated` at the first error. */
async function findRuleWarnings(
  { name: apex }: NewZone,
  plannedSets: RRset[]
): Promise<Violation[]> {
  const found = await runYielding(zoneRuleSteps(apex, plannedSets))
  const error = found.find(({ severity }) => severity === 'error')
  if (error) {
    throw new RuleViolated(error)
  }
  return found
}
