import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { CapabilityMissing, ZoneExists } from '#backends/contract/errors'
import type { ZoneStep } from '#backends/pending_writes/steps'
import { columnsOf } from '#backends/mirrored/mirror'
import { MIRROR_TABLES, mirrorZoneFromRow, type MirrorZone } from '#backends/mirrored/mirror_tables'
import { StaleRead, type WriteRun } from '#backends/mirrored/write_attempt'
import type { ServerZone } from '#backends/mirrored/zone_server'
import { SqlWriteSession } from '#backends/sql/session'
import type {
  BackendZone,
  NewZone,
  PropertyChange,
  StoredRecord,
  NonRecordData,
  ZoneKey,
  ZonePatch,
} from '#backends/contract/types'
import type { PendingEffects } from '#backends/contract/write_session'
import type { WriteSession } from '#backends/contract/write_session'
import { holdRow } from '#database/rows/row_lock'
import type { Metadata } from '#dns/metadata/metadata'
import { isSerialOnly } from '#dns/outcome'
import type { RecordId, RRset, RRsetChange } from '#dns/types'
import { serialOfSet, setAtSerial } from '#dns/rdata/soa'

/** The row of `zw_text_marks` that is locked for new zones of the mirror: ids are assigned one at a time. */
const ZONE_ID_LOCK = MIRROR_TABLES.texts.number

type Step = ZoneStep extends infer AnyStep
  ? AnyStep extends ZoneStep
    ? Omit<AnyStep, 'zoneId' | 'zoneName'>
    : never
  : never

/**
 * A write on the mirror, in a transaction of Zonewright's database, whose steps are also done at the server. Reads only zones
 * that were compared with the server for this write.
 */
export class MirroredWriteSession extends SqlWriteSession implements WriteSession {
  /** Zones that this session locked and compared, or created. */
  readonly #comparedZones = new Set<number>()
  readonly #locked = new Map<number, BackendZone>()
  readonly #metadata: Map<number, Metadata>
  /** A new zone that is created at the server together with its first records. */
  #pendingCreation: { zone: BackendZone; step: Extract<Step, { kind: 'create' }> } | null = null

  constructor(
    transaction: TransactionClientContract,
    private readonly run: WriteRun
  ) {
    super(transaction, MIRROR_TABLES)
    this.#metadata = new Map(run.metadata)
  }

  setPendingEffects(effects: PendingEffects): void {
    this.run.pendingEffects = effects
  }

  async isMissingOnServer(zone: BackendZone): Promise<boolean> {
    await this.#requireCompared(zone)
    return this.run.missingZones.has(zone.id)
  }

  override async lockZones(ids: number[]): Promise<Map<number, BackendZone>> {
    const zones = await super.lockZones(ids)
    zones.forEach((zone, id) => this.#locked.set(id, zone))
    return zones
  }

  override async rrsetsAt(zone: BackendZone, names: string[]): Promise<RRset[]> {
    await this.#requireCompared(zone)
    return super.rrsetsAt(zone, names)
  }

  override async findRecords(zone: BackendZone, ids: RecordId[]): Promise<StoredRecord[]> {
    await this.#requireCompared(zone)
    return super.findRecords(zone, ids)
  }

  override async allRRsets(zone: BackendZone): Promise<RRset[]> {
    await this.#requireCompared(zone)
    return super.allRRsets(zone)
  }

  override async rrsetsPointingTo(
    zone: BackendZone,
    types: string[],
    targets: string[]
  ): Promise<RRset[]> {
    await this.#requireCompared(zone)
    return super.rrsetsPointingTo(zone, types, targets)
  }

  override async cutsAt(zone: BackendZone, names: string[]): Promise<RRset[]> {
    await this.#requireCompared(zone)
    return super.cutsAt(zone, names)
  }

  override async namesBelow(zone: BackendZone, names: string[], limit: number): Promise<string[]> {
    await this.#requireCompared(zone)
    return super.namesBelow(zone, names, limit)
  }

  override async takeExternalChanges(zone: BackendZone, names?: string[]): Promise<RRsetChange[]> {
    await this.#requireCompared(zone)
    return super.takeExternalChanges(zone, names)
  }

  override async takeExternalPropertyChanges(
    zone: BackendZone,
    options?: { withMetadata?: boolean }
  ): Promise<PropertyChange | null> {
    await this.#requireCompared(zone)
    return super.takeExternalPropertyChanges(zone, options)
  }

  /** The metadata is unknown: the server adds its own. */
  protected override initialMetadata(): null {
    return null
  }

  override async metadataOf(zone: BackendZone): Promise<Metadata> {
    await this.#requireCompared(zone)
    const metadata = this.#metadata.get(zone.id)
    if (!metadata) {
      throw this.#staleRead(zone, { metadata: true })
    }
    return metadata
  }

  /** The server accepts any spelling of kinds. */
  override async misspeltKinds(): Promise<string[]> {
    return []
  }

  override async nonRecordData(zone: BackendZone): Promise<NonRecordData> {
    const metadata = await this.metadataOf(zone)
    const { comments } = await super.nonRecordData(zone)
    return { metadata, comments }
  }

  override async keysOf(zone: BackendZone): Promise<ZoneKey[]> {
    await this.#requireCompared(zone)
    const keys = this.run.keys.get(zone.id)
    if (!keys) {
      throw this.#staleRead(zone, { keys: true })
    }
    return keys
  }

  override async createZone(zone: NewZone): Promise<BackendZone> {
    await this.#createAtServer()
    await holdRow(this.transaction, 'zw_text_marks', ZONE_ID_LOCK)
    await this.#dropMissing(zone.name)
    const { metadata, restored } = zone
    const zoneWithoutKeys = restored ? { ...zone, restored: { ...restored, keys: [] } } : zone
    const created = await super.createZone(zoneWithoutKeys)
    this.#comparedZones.add(created.id)
    this.#locked.set(created.id, created)
    this.#metadata.set(created.id, metadata)
    this.#pendingCreation = { zone: created, step: { kind: 'create', zone, sets: [] } }
    return created
  }

  override async updateZone(zone: BackendZone, patch: ZonePatch): Promise<BackendZone> {
    await this.#requireCompared(zone)
    const { kind, masters, account } = zone
    const all = { kind, masters, account }
    const before = Object.fromEntries(
      (Object.keys(patch) as (keyof ZonePatch)[]).map((key) => [key, all[key]])
    )
    const next = await super.updateZone(zone, patch)
    await this.#runStep(zone, { kind: 'properties', before, after: patch })
    await this.#invalidateRead(zone)
    return next
  }

  override async renameZone(): Promise<BackendZone> {
    throw new CapabilityMissing('This backend does not rename zones')
  }

  override async deleteZone(zone: BackendZone): Promise<void> {
    await this.#requireCompared(zone)
    await super.deleteZone(zone)
    if (!this.run.missingZones.has(zone.id)) {
      await this.#runStep(zone, { kind: 'delete' })
    }
  }

  override async writeMetadata(zone: BackendZone, metadata: Metadata): Promise<void> {
    const known = await this.metadataOf(zone)
    const after = { ...known, ...metadata }
    const before = Object.fromEntries(
      Object.keys(metadata).map((kind) => [kind, known[kind] ?? []])
    )
    await super.writeMetadata(zone, metadata)
    this.#metadata.set(
      zone.id,
      Object.fromEntries(Object.entries(after).filter(([, values]) => values.length > 0))
    )
    await this.#runStep(zone, { kind: 'metadata', before, after: metadata })
    await this.#invalidateRead(zone)
  }

  /** The server rectifies the signed zone, and does not report errors. */
  override async rectify(zone: BackendZone): Promise<number | null> {
    await this.#requireCompared(zone)
    const key: unknown = await this.transaction
      .from(MIRROR_TABLES.keys)
      .where('domain_id', zone.id)
      .first()
    await super.rectify(zone)
    if (!key) {
      return 0
    }
    await this.#runStep(zone, { kind: 'rectify' })
    return null
  }

  override async applyRRsets(zone: BackendZone, changes: RRsetChange[]): Promise<RRsetChange[]> {
    if (changes.length === 0) {
      return []
    }
    await this.#requireCompared(zone)
    const applied = await super.applyRRsets(zone, changes)
    const answer = await this.#sendChanges(zone, changes)
    return answer ? this.#adoptSerial(zone, applied, answer) : applied
  }

  /** Creates the waiting zone. Call it at the end of the work. */
  async finish(): Promise<void> {
    await this.#createAtServer()
    this.run.end()
  }

  async #sendChanges(zone: BackendZone, changes: RRsetChange[]): Promise<ServerZone | null> {
    if (this.#pendingCreation?.zone.id === zone.id) {
      this.#pendingCreation.step.sets = changes.flatMap(({ after }) => after ?? [])
      return this.#createAtServer()
    }
    const { serialPolicy } = await this.#row(zone.id)
    // With a policy the server moves the serial, also that of an SOA that is sent.
    const sentChanges = changes.filter((change) => serialPolicy === '' || !isSerialOnly(change))
    const movesSerial = sentChanges.length < changes.length
    const answer = await this.#runStep(zone, { kind: 'records', changes: sentChanges, movesSerial })
    await this.#invalidateRead(zone)
    return answer
  }

  /** Creates the waiting zone with its metadata and keys. */
  async #createAtServer(): Promise<ServerZone | null> {
    if (!this.#pendingCreation) {
      return null
    }
    const { zone, step } = this.#pendingCreation
    this.#pendingCreation = null
    const { metadata, restored } = step.zone
    const answer = await this.#runStep(zone, step)
    const isSigned = restored !== undefined && restored.keys.length > 0
    if (isSigned) {
      await this.#runStep(zone, { kind: 'keys', keys: restored.keys })
    }
    // Metadata that only the server sets is read back.
    const writable = Object.entries(metadata).filter(([kind]) => this.run.takesMetadata(kind))
    if (writable.length > 0) {
      const after = Object.fromEntries(writable)
      await this.#runStep(zone, { kind: 'metadata', before: {}, after })
    }
    if (isSigned) {
      await this.#runStep(zone, { kind: 'rectify' })
    }
    await this.transaction
      .from(MIRROR_TABLES.zones)
      .where('id', zone.id)
      .update({ serial_policy: this.run.serialPolicy(metadata) })
    return answer
  }

  /** Adopts the serial of the server, and updates the described change. */
  async #adoptSerial(
    zone: BackendZone,
    applied: RRsetChange[],
    answer: ServerZone
  ): Promise<RRsetChange[]> {
    const { id, ...facts } = { id: zone.id, ...answer }
    await this.transaction.from(MIRROR_TABLES.zones).where('id', id).update(columnsOf(facts))
    const serverSoa = answer.rrsets.find(({ name, type }) => type === 'SOA' && name === zone.name)
    const sets = await super.rrsetsAt(zone, [zone.name])
    const storedSoa = sets.find(({ type }) => type === 'SOA')
    const serial = serialOfSet(serverSoa)
    if (!storedSoa || serial === null || serialOfSet(storedSoa) === serial) {
      return applied
    }
    // Other changes of the set, such as of a disabled record, are changes of the server.
    const after = setAtSerial(storedSoa, serial)
    const [serialChange] = await super.applyRRsets(zone, [
      { name: zone.name, type: 'SOA', before: storedSoa, after },
    ])
    return applied.map((change) =>
      change.type === 'SOA' && change.name === zone.name && change.after
        ? { ...change, after: serialChange.after }
        : change
    )
  }

  async #runStep(zone: BackendZone, step: Step): Promise<ServerZone | null> {
    if (step.kind !== 'create') {
      await this.#createAtServer()
    }
    return this.run.step({ zoneId: zone.id, zoneName: zone.name, ...step })
  }

  /** The mirror changed: the next read compares the zone again. */
  async #invalidateRead(zone: BackendZone): Promise<void> {
    await this.transaction
      .from(MIRROR_TABLES.zones)
      .where('id', zone.id)
      .update({ version: this.transaction.raw('version + 1'), digest: '' })
  }

  async #row(id: number): Promise<MirrorZone> {
    return mirrorZoneFromRow(
      await this.transaction.from(MIRROR_TABLES.zones).where('id', id).firstOrFail()
    )
  }

  /** Zones that are not locked, or are missing on the server, are read from the mirror. */
  async #requireCompared(zone: BackendZone): Promise<void> {
    const { missingZones } = this.run
    if (
      this.#comparedZones.has(zone.id) ||
      missingZones.has(zone.id) ||
      !this.#locked.has(zone.id)
    ) {
      return
    }
    const mirrorRead = this.run.mirrorReads.get(zone.id)
    const { version } = await this.#row(zone.id)
    if (mirrorRead?.version !== version) {
      throw this.#staleRead(zone, {})
    }
    this.#comparedZones.add(zone.id)
  }

  #staleRead(zone: BackendZone, needed: { metadata?: boolean; keys?: boolean }): StaleRead {
    const { metadata = false, keys = false } = needed
    const zones = metadata || keys ? [zone] : [...this.#locked.values()]
    return new StaleRead({ zones, metadata, keys })
  }

  /** Deletes a zone that the server no longer has, so that its name is free. */
  async #dropMissing(name: string): Promise<void> {
    const known = await this.findZoneByName(name)
    if (!known) {
      return
    }
    const { missingSince } = await this.#row(known.id)
    if (missingSince === null) {
      throw new ZoneExists(name)
    }
    await super.deleteZone(known)
  }

  /** Zone ids come from Zonewright tables: a new id is above all ids that were ever used. */
  protected override async chooseId(formerId?: number): Promise<{ id?: number }> {
    if (formerId !== undefined && !(await this.findZone(formerId))) {
      return { id: formerId }
    }
    return { id: await nextZoneId(this.transaction) }
  }
}

/** An id that no zone has or had. Call it while the row of ids is locked. */
export async function nextZoneId(trx: TransactionClientContract): Promise<number> {
  const tables = [
    [MIRROR_TABLES.zones, 'id'],
    ['zw_journal', 'zone_id'],
    ['zw_zones', 'id'],
  ]
  let highest = 0
  for (const [table, column] of tables) {
    const [row] = (await trx.from(table).max(`${column} as highest`)) as { highest: unknown }[]
    highest = Math.max(highest, Number(row.highest ?? 0))
  }
  return highest + 1
}
