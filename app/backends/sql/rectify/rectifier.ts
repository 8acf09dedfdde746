import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import {
  authoritySteps,
  type AuthorityFixes,
  type DescendantState,
  type Denial,
  type OwnerRow,
} from '#dns/authority'
import { foldCase, ancestorsWithin } from '#dns/names'
import { MAX_ITERATIONS, parseNsec3Parameters } from '#dns/dnssec/nsec3'
import type { RRsetChange } from '#dns/types'
import type { BackendZone } from '#backends/contract/backend'
import { rowsBelow } from '#backends/sql/descendants'
import { NamedRows } from '#backends/sql/named_rows'
import { chunks } from '#database/statements/chunks'
import { runYielding, mapYielding } from '#database/event_loop'
import { onlyRecords } from '#backends/sql/row_lookup'
import type { RecordRow } from '#backends/sql/rows'
import type { ZoneTables } from '#backends/sql/tables'

const COLUMNS = ['id', 'name', 'type', 'disabled', 'auth', 'ordername']

/** Above this many owner names one pass over the whole zone is cheaper than many small reads. */
const MAX_SEPARATE_NAMES = 400

/**
 * Corrects `auth`, `ordername` and empty non-terminals in the transaction that changes records, so that a name server never
 * reads a half-rectified zone. Reads the changed names, those above them, and below new or deleted delegations; the whole zone
 * only for NSEC3 opt-out.
 */
export class Rectifier {
  /**
   * @param trx   a transaction, where something is to be written
   * @param namedRows rows at names as the write that this belongs to reads them
   */
  constructor(
    private readonly trx: QueryClientContract,
    private readonly tables: ZoneTables,
    private readonly namedRows = new NamedRows(trx, tables, false)
  ) {}

  /** Rectifies after `changes`. Call it after their rows are written. */
  async rectifyChanges(zone: BackendZone, changes: RRsetChange[]): Promise<void> {
    if (changes.length === 0) {
      return
    }
    const denial = await this.denialOf(zone)
    if (denial.kind === 'nsec3' && denial.optOut) {
      await this.rectifyZone(zone, denial)
      return
    }
    const names = new Set(changes.map((change) => change.name))
    for (const change of changes) {
      if (change.type === 'NS' && change.name !== zone.name) {
        const below = await this.#namesBelow(zone, change.name, denial)
        below.forEach((name) => names.add(name))
      }
      if (names.size > MAX_SEPARATE_NAMES) {
        await this.rectifyZone(zone, denial)
        return
      }
    }
    for (const name of [...names]) {
      ancestorsWithin(name, zone.name).forEach((ancestor) => names.add(ancestor))
    }
    const rows = await this.#rowsAt(zone, [...names])
    const below = await this.#readDescendants(zone, [...names], rows, denial)
    await this.#apply(zone, denial, names, rows, (name) => below.get(name) ?? NOTHING_BELOW)
  }

  /** Corrects every row of the zone. Returns the number of wrong or missing rows. */
  async rectifyZone(zone: BackendZone, denial: Denial): Promise<number> {
    const fixes = await this.#wholeZoneFixes(zone, denial)
    await this.#write(zone, fixes)
    return countFixes(fixes)
  }

  /** Number of rows that `rectifyZone` would correct. */
  async countWrongRows(zone: BackendZone, denial: Denial): Promise<number> {
    return countFixes(await this.#wholeZoneFixes(zone, denial))
  }

  async #wholeZoneFixes(zone: BackendZone, denial: Denial): Promise<AuthorityFixes> {
    const rows: RecordRow[] = await this.trx
      .from(this.tables.records)
      .where('domain_id', zone.id)
      .whereNotNull('name')
      .select(COLUMNS)
    const owners = await mapYielding(rows, toOwnerRow)
    const names = owners.map(({ name }) => name)
    const fixInput = {
      apex: zone.name,
      names,
      denial,
      rows: owners,
      descendantsOf: () => NOTHING_BELOW,
    }
    return runYielding(authoritySteps(fixInput))
  }

  /** A zone is signed while it has an active key; NSEC3PARAM without one means nothing. */
  async denialOf(zone: BackendZone): Promise<Denial> {
    const key: unknown = await this.trx
      .from(this.tables.keys)
      .where('domain_id', zone.id)
      .where('active', true)
      .select('id')
      .first()
    if (!key) {
      return { kind: 'unsigned' }
    }
    const metadata: { kind: string; content: string | null }[] = await this.trx
      .from(this.tables.metadata)
      .where('domain_id', zone.id)
      .whereIn('kind', ['NSEC3PARAM', 'NSEC3NARROW'])
    const value = (kind: string) => metadata.find((row) => row.kind === kind)?.content ?? ''
    const parameters = parseNsec3Parameters(value('NSEC3PARAM'))
    if (!parameters) {
      return { kind: 'nsec' }
    }
    const iterations = Math.min(parameters.iterations, MAX_ITERATIONS)
    return { kind: 'nsec3', narrow: value('NSEC3NARROW') === '1', ...parameters, iterations }
  }

  async #apply(
    zone: BackendZone,
    denial: Denial,
    names: Iterable<string>,
    rows: OwnerRow[],
    descendantsOf: (name: string) => DescendantState
  ): Promise<void> {
    const fixInput = { apex: zone.name, names, denial, rows, descendantsOf }
    await this.#write(zone, await runYielding(authoritySteps(fixInput)))
  }

  async #write(zone: BackendZone, fixes: AuthorityFixes): Promise<void> {
    if (countFixes(fixes) > 0) {
      this.namedRows.forget()
    }
    for (const { ids, auth, ordername } of fixes.updates) {
      for (const part of chunks(ids)) {
        await this.trx.from(this.tables.records).whereIn('id', part).update({ auth, ordername })
      }
    }
    for (const part of chunks(fixes.deletes)) {
      await this.trx.from(this.tables.records).whereIn('id', part).delete()
    }
    const inserts = fixes.inserts.map((row) => ({
      domain_id: zone.id,
      type: null,
      content: null,
      ttl: null,
      prio: null,
      disabled: false,
      ...row,
    }))
    for (const part of chunks(inserts)) {
      await this.trx.table(this.tables.records).multiInsert(part)
    }
  }

  async #rowsAt(zone: BackendZone, names: string[]): Promise<OwnerRow[]> {
    const rows = await this.namedRows.readAt(zone, names)
    return rows.map(toOwnerRow)
  }

  /** Reads descendants of names without an enabled row and without a known authoritative name below: only these need it. */
  async #readDescendants(
    zone: BackendZone,
    names: string[],
    rows: OwnerRow[],
    denial: Denial
  ): Promise<Map<string, DescendantState>> {
    const liveRows = rows.filter((row) => row.type !== null && !row.disabled)
    const cuts = new Set(
      liveRows.filter((r) => r.type === 'NS' && r.name !== zone.name).map((r) => r.name)
    )
    const authoritativeNames = new Set([zone.name])
    for (const { name } of liveRows) {
      authoritativeNames.add(name)
      const ancestors = ancestorsWithin(name, zone.name)
      if (![name, ...ancestors].some((ancestor) => cuts.has(ancestor))) {
        ancestors.forEach((ancestor) => authoritativeNames.add(ancestor))
      }
    }
    const result = new Map<string, DescendantState>()
    for (const name of names.filter((candidate) => !authoritativeNames.has(candidate))) {
      result.set(name, await this.#unreadBelow(zone, name, { names, cuts, denial }))
    }
    return result
  }

  /** Enabled rows below `name`, at names that were not read yet. */
  async #unreadBelow(
    zone: BackendZone,
    name: string,
    known: { names: string[]; cuts: Set<string>; denial: Denial }
  ): Promise<DescendantState> {
    const liveRows = () =>
      this.#below(zone, name, known.denial).map((query) =>
        onlyRecords(query).where('disabled', false).whereNotIn('name', known.names)
      )
    if (!(await anyRow(liveRows()))) {
      return NOTHING_BELOW
    }
    const authoritative =
      (await anyRow(liveRows().map((query) => query.where('auth', true).whereNot('type', 'DS')))) ||
      (await this.#hasUncoveredDs(zone, liveRows, known.cuts))
    return { exists: true, authoritative }
  }

  /** Whether a DS record exists at a name without a delegation above: the name is authoritative then. */
  async #hasUncoveredDs(
    zone: BackendZone,
    liveRows: () => DatabaseQueryBuilderContract[],
    knownCuts: Set<string>
  ): Promise<boolean> {
    const found: { name: string; type: string }[] = []
    for (const query of liveRows()) {
      const rows = await query.whereIn('type', ['DS', 'NS']).select('name', 'type')
      found.push(...(rows as { name: string; type: string }[]).map(withFoldedName))
    }
    const below = found.filter((row) => row.type === 'NS').map((row) => row.name)
    const cuts = new Set([...knownCuts, ...below])
    return found.some(
      ({ name }) =>
        ![name, ...ancestorsWithin(name, zone.name)].some((ancestor) => cuts.has(ancestor))
    )
  }

  async #namesBelow(zone: BackendZone, name: string, denial: Denial): Promise<string[]> {
    const names = new Set<string>()
    for (const query of this.#below(zone, name, denial)) {
      const rows = (await query.select('name')) as { name: string }[]
      rows.forEach((row) => names.add(withFoldedName(row).name))
    }
    return [...names]
  }

  #below(zone: BackendZone, name: string, denial: Denial): DatabaseQueryBuilderContract[] {
    return rowsBelow(this.trx, this.tables, zone, name, denial.kind === 'nsec3')
  }
}

async function anyRow(queries: DatabaseQueryBuilderContract[]): Promise<boolean> {
  for (const query of queries) {
    const row: unknown = await query.select('id').first()
    if (row) {
      return true
    }
  }
  return false
}

function countFixes({ updates, inserts, deletes }: AuthorityFixes): number {
  const updated = updates.reduce((sum, { ids }) => sum + ids.length, 0)
  return updated + inserts.length + deletes.length
}

const NOTHING_BELOW: DescendantState = { exists: false, authoritative: false }

/** Folds the case of a name: other tools may store capitals (RFC 4343). */
function withFoldedName<Row extends { name: string }>(row: Row): Row {
  return { ...row, name: foldCase(row.name) }
}

function toOwnerRow(row: RecordRow): OwnerRow {
  return {
    id: Number(row.id),
    name: foldCase(row.name),
    type: row.type,
    disabled: Boolean(row.disabled),
    auth: Boolean(row.auth),
    ordername: row.ordername,
  }
}
