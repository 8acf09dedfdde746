import { ancestorsWithin, reversedLabels } from '#dns/names'
import { nsec3Hash, type Nsec3Parameters } from '#dns/dnssec/nsec3'
import type { RecordId } from '#dns/types'

/** Denial of existence of a zone; it decides the order names of rows. `narrow` NSEC3 stores none. */
export type Denial =
  { kind: 'unsigned' | 'nsec' } | ({ kind: 'nsec3'; narrow: boolean } & Nsec3Parameters)

/** One row at an owner name. `type` is null for an empty non-terminal (RFC 8499). */
export interface OwnerRow {
  id: RecordId
  name: string
  type: string | null
  disabled: boolean
  auth: boolean
  ordername: string | null
}

/** Other names below a name, without the given rows. */
export interface DescendantState {
  exists: boolean
  /** At least one of these names is not at or below a delegation. */
  authoritative: boolean
}

/** Changes that correct `auth`, order names and empty non-terminals. */
export interface AuthorityFixes {
  updates: { ids: RecordId[]; auth: boolean; ordername: string | null }[]
  inserts: { name: string; auth: boolean; ordername: string | null }[]
  deletes: RecordId[]
}

/**
 * Compares `auth`, `ordername` and the empty non-terminals of `rows` with the correct values, in
 * steps of bounded length, and returns the changes of `pdnsutil rectify-zone`. Exception: rows of
 * unsigned zones keep the NSEC order name, which finds names below a name by index.
 */
export function* authoritySteps(zone: {
  apex: string
  /** Owner names to check, also those without rows. */
  names: Iterable<string>
  denial: Denial
  /** All rows at `names` and at their ancestors up to the apex; disabled rows count as absent. */
  rows: OwnerRow[]
  /** Describes names below a name without live rows. */
  descendantsOf: (name: string) => DescendantState
}): Generator<undefined, AuthorityFixes> {
  const { apex, rows } = zone
  const live = rows.filter((row) => row.type !== null && !row.disabled)
  const names = new Set(live.map((row) => row.name))
  const expected = new ExpectedAuthority(apex, zone.denial, live)
  yield* expected.collect(live)

  const updates = new Map<string, AuthorityFixes['updates'][number]>()
  const fix = (row: OwnerRow, want: Authority) => {
    if (row.auth === want.auth && row.ordername === want.ordername) {
      return
    }
    const key = `${want.auth} ${want.ordername ?? '\0'}`
    const group = updates.get(key) ?? { ids: [], ...want }
    group.ids.push(row.id)
    updates.set(key, group)
  }
  for (const row of live) {
    yield
    fix(row, expected.ofRow(row))
  }

  // Names without records, each with its empty non-terminal row, if it exists.
  const hollow = new Map<string, OwnerRow | null>()
  const deletes: RecordId[] = []
  for (const owner of new Set(zone.names)) {
    yield
    for (const name of [owner, ...ancestorsWithin(owner, apex)]) {
      if (name !== apex && !names.has(name) && !hollow.has(name)) {
        hollow.set(name, null)
      }
    }
  }
  for (const row of rows.filter((candidate) => candidate.type === null)) {
    if (hollow.get(row.name) === null) {
      hollow.set(row.name, row)
    } else {
      deletes.push(row.id)
    }
  }

  const inserts: AuthorityFixes['inserts'] = []
  for (const [name, row] of hollow) {
    yield
    const inside = expected.descendantsOf(name)
    const outsideState = zone.descendantsOf(name)
    if (!inside.exists && !outsideState.exists) {
      deletes.push(...(row ? [row.id] : []))
      continue
    }
    const want = expected.ofEmptyNonTerminal(
      name,
      inside.authoritative || outsideState.authoritative
    )
    if (row) {
      fix(row, want)
    } else {
      inserts.push({ name, ...want })
    }
  }
  return { updates: [...updates.values()], inserts, deletes }
}

interface Authority {
  auth: boolean
  ordername: string | null
}

/** Computes `auth` and `ordername` from the live rows of a zone. */
class ExpectedAuthority {
  readonly #delegations: Set<string>
  readonly #secure: Set<string>
  readonly #cachedDescendants = new Map<string, boolean>()
  /**
   * With opt-out: names above the cuts with data other than NS, and all names between them and the
   * apex.
   */
  readonly #optedOutNames = new Set<string>()
  readonly #hashes = new Map<string, string>()

  constructor(
    readonly apex: string,
    readonly denial: Denial,
    live: OwnerRow[]
  ) {
    this.#delegations = new Set(
      live.filter((r) => r.type === 'NS' && r.name !== apex).map((r) => r.name)
    )
    this.#secure = new Set(live.filter((row) => row.type === 'DS').map((row) => row.name))
  }

  /** Collects the names of the live rows and their ancestors. */
  *collect(live: OwnerRow[]): Generator<undefined, void> {
    for (const row of live) {
      yield
      const ancestors = ancestorsWithin(row.name, this.apex)
      const isAuthoritative = this.isAuthoritative(row.name)
      for (const ancestor of ancestors) {
        this.#cachedDescendants.set(
          ancestor,
          isAuthoritative || this.#cachedDescendants.get(ancestor) === true
        )
      }
      if (row.type !== 'NS' && !this.isBelowCut(row.name)) {
        ;[row.name, ...ancestors].forEach((name) => this.#optedOutNames.add(name))
      }
    }
  }

  isBelowCut(name: string): boolean {
    return ancestorsWithin(name, this.apex).some((ancestor) => this.#delegations.has(ancestor))
  }

  isAuthoritative(name: string): boolean {
    return !this.#delegations.has(name) && !this.isBelowCut(name)
  }

  descendantsOf(name: string): DescendantState {
    const authoritative = this.#cachedDescendants.get(name)
    return { exists: authoritative !== undefined, authoritative: authoritative === true }
  }

  ofRow(row: OwnerRow): Authority {
    const auth = this.isAuthoritative(row.name) || row.type === 'DS'
    if (auth || this.denial.kind === 'unsigned') {
      return { auth, ordername: this.#orderNameOf(row.name) }
    }
    const isGlue = row.type === 'A' || row.type === 'AAAA'
    const isInsecureCut = this.#optsOut && row.type === 'NS' && !this.#secure.has(row.name)
    return { auth, ordername: isGlue || isInsecureCut ? null : this.#orderNameOf(row.name) }
  }

  /** An empty non-terminal. `leads`: an authoritative name exists below it. */
  ofEmptyNonTerminal(name: string, leads: boolean): Authority {
    const auth = leads && !this.isBelowCut(name)
    switch (this.denial.kind) {
      case 'unsigned':
        return { auth, ordername: this.#orderNameOf(name) }
      case 'nsec':
        return { auth, ordername: null }
      case 'nsec3':
        return {
          auth: this.#optsOut ? auth : this.#isInDenialChain(name),
          ordername: this.#orderNameOf(name),
        }
    }
  }

  get #optsOut(): boolean {
    return this.denial.kind === 'nsec3' && this.denial.optOut
  }

  /** Returns whether the name has an NSEC3 record. */
  #isInDenialChain(name: string): boolean {
    return this.#optsOut ? this.#optedOutNames.has(name) : !this.isBelowCut(name)
  }

  #orderNameOf(name: string): string | null {
    if (this.denial.kind !== 'nsec3') {
      return reversedLabels(name, this.apex)
    }
    if (this.denial.narrow || !this.#isInDenialChain(name)) {
      return null
    }
    const hash = this.#hashes.get(name) ?? nsec3Hash(name, this.denial)
    this.#hashes.set(name, hash)
    return hash
  }
}
