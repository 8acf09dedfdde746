// @api-backend(all) @process
import { test } from '@japa/runner'
import { nsec3Hash } from '#dns/dnssec/nsec3'
import env from '#support/env'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { SigningServer } from '#tests/support/app/zones/signing'
import { query } from '#tests/support/dns'
import { Random } from '#tests/support/random'
import { trustDs, validateBy, type Validation } from '#tests/support/validation'

/** Number of change sets of all zones together, fewer on databases other than SQLite. SIGNED_RUNS overrides it. */
const STEPS = Number(process.env.SIGNED_RUNS ?? (env.get('DB_CONNECTION') === 'sqlite' ? 201 : 24))
const SEED = Number(process.env.ZW_SEED ?? 7)

const DENIALS = [
  { denial: 'NSEC', nsec3: null, isOptOut: false },
  { denial: 'NSEC3', nsec3: '1 0 0 -', isOptOut: false },
  { denial: 'opt-out NSEC3', nsec3: '1 1 0 -', isOptOut: true },
]

/** Empty non-terminals, delegations with names below them, and wildcards at several depths. */
const OWNERS = [
  'a',
  'b.a',
  'd.c.b.a',
  '*',
  '*.a',
  '*.w',
  'x.w',
  'cut',
  'ns.cut',
  'in.cut',
  'h.g.f',
  'f',
]
const CONTENTS: Record<string, string[]> = {
  A: ['192.0.2.1', '192.0.2.2'],
  TXT: ['"one"', '"two"'],
  MX: ['mail.example'],
  NS: ['ns1.elsewhere.example', 'ns2.elsewhere.example'],
  DS: [`1 13 2 ${'ab'.repeat(32)}`],
}
const TYPES = ['A', 'A', 'A', 'TXT', 'MX']
/** Delegations. One is below another. */
const CUTS = ['cut', 'in.cut', 'b.a', 'h.g.f']

interface Action {
  op: 'set' | 'clear'
  name: string
  type: string
  ttl?: number
  records?: { content: string; priority: number }[]
}

/** A signed zone, its expected records, and the checks of its answers. */
class SignedZone {
  readonly #sets = new Set<string>()
  anchors = ''

  constructor(
    readonly name: string,
    readonly id: number,
    readonly port: number,
    readonly isOptOut: boolean
  ) {}

  /** Port and name of the zone. */
  get place(): { port: number; zone: string } {
    return { port: this.port, zone: this.name }
  }

  took(actions: Action[]): void {
    for (const { op, name, type } of actions) {
      if (op === 'set') this.#sets.add(`${name} ${type}`)
      else this.#sets.delete(`${name} ${type}`)
    }
  }

  /** Returns the result of a resolver that trusts the DS record if it is not the expected one; null otherwise. */
  async problem(name: string, type: string): Promise<string | null> {
    // At and below a delegation, the zone is authoritative for the DS record only.
    const cut = this.#cutOf(name)
    const [queriedName, queriedType] = cut === null ? [name, type] : [cut, 'DS']
    const found = await validateBy(this.anchors, this.place, queriedName, queriedType)
    return this.#expected(queriedName, queriedType).includes(found)
      ? null
      : `${queriedName} ${queriedType}: ${JSON.stringify(found)}`
  }

  /** Delegations of the zone itself, and whether each is secure. */
  get delegations(): { name: string; isSecure: boolean }[] {
    const cuts = [...this.#sets].filter((key) => key.endsWith(' NS')).map((key) => key.slice(0, -3))
    return cuts
      .filter((name) => this.#cutOf(name) === name)
      .map((name) => ({ name, isSecure: this.#sets.has(`${name} DS`) }))
  }

  /** Returns the answers for existing names and some missing ones, without the parts that change in every answer. */
  async picture(): Promise<string[]> {
    const names = [...OWNERS, 'none', 'b', 'c.b.a', 'x.cut', 'x.in.cut', 'g.f', 'x.f']
    const answers = names.map(async (owner) => {
      const name = `${owner}.${this.name}`
      const answer = await query(this.port, name, 'TXT', { dnssec: true })
      const records = [...answer.answers, ...answer.authority]
        .filter(({ type }) => type !== 'SOA' && type !== 'RRSIG')
        .map((record) => `${record.name} ${record.type} ${record.data}`)
      return [name, answer.status, ...records.sort()].join('; ')
    })
    return Promise.all(answers)
  }

  #expected(name: string, type: string): Validation[] {
    if (name === this.name || this.#sets.has(`${name} ${type}`)) {
      return ['answer']
    }
    // The answer comes from a wildcard, or the name is missing. With opt-out, some denials are not proven (RFC 5155, section
    // 9.2).
    const hasWildcard = [...this.#sets].some((key) => key.startsWith('*'))
    return [
      'denial',
      ...(hasWildcard ? (['answer'] as const) : []),
      ...(this.isOptOut ? (['insecure'] as const) : []),
    ]
  }

  #cutOf(name: string): string | null {
    const labels = name.slice(0, -this.name.length - 1).split('.')
    const above = labels
      .map((_, index) => `${labels.slice(index).join('.')}.${this.name}`)
      .reverse()
    return above.find((one) => this.#sets.has(`${one} NS`)) ?? null
  }
}

test.group('Signed zones under random change sets', (group) => {
  group.each.timeout(600_000)
  let server: SigningServer
  let admin: Person

  group.setup(async () => {
    server = await SigningServer.here({ dns: { default_ns: ['ns1.example.net'] } })
    admin = await administrator()
    return () => server.stop()
  })

  const call = (method: string, path: string, body?: object) =>
    server.call(admin.key, method, path, body)

  async function signedZone({ nsec3, isOptOut }: (typeof DENIALS)[number]): Promise<SignedZone> {
    const name = zoneNamed('random')
    const created = await call('POST', '/zones', { name, type: 'NATIVE', enable_dnssec: true })
    if (created.body.data?.dnssec !== 'signed') throw new Error(created.text)
    const { zone_id: id } = created.body.data
    if (nsec3) {
      const put = await call('PUT', `/zones/${id}/metadata/NSEC3PARAM`, { values: [nsec3] })
      if (put.status !== 200) throw new Error(put.text)
    }
    const zone = new SignedZone(name, id, server.dns!.port, isOptOut)
    const status = await call('GET', `/zones/${id}/dnssec`)
    zone.anchors = trustDs(name, status.body.data.ds_records)
    return zone
  }

  function randomActions(random: Random, zone: SignedZone): Action[] {
    const actions = new Map<string, Action>()
    const put = (name: string, type: string, chance: number) => {
      const records = CONTENTS[type].filter(() => random.chance(chance))
      const all = records.map((content) => ({ content, priority: type === 'MX' ? 10 : 0 }))
      const set = { op: 'set' as const, name, type, ttl: random.pick([60, 300]), records: all }
      actions.set(`${name} ${type}`, all.length > 0 ? set : { op: 'clear', name, type })
      return all.length > 0
    }
    for (let i = 1 + random.below(4); i > 0; i--) {
      if (random.chance(0.3)) {
        // DS records exist at delegations only.
        const name = `${random.pick(CUTS)}.${zone.name}`
        const isCut = put(name, 'NS', 0.6)
        put(name, 'DS', isCut ? 0.5 : 0)
      } else {
        // With opt-out, rectifying with PowerDNS breaks proofs if other records exist at the delegation itself.
        const owners = zone.isOptOut ? OWNERS.filter((owner) => !CUTS.includes(owner)) : OWNERS
        put(`${random.pick(owners)}.${zone.name}`, random.pick(TYPES), 0.6)
      }
    }
    return [...actions.values()]
  }

  test(`{denial}: every answer and denial is proven by the DS record after each change set`)
    .with(DENIALS)
    .run(async ({ assert }, denial) => {
      const zone = await signedZone(denial)
      const random = new Random(SEED)
      let refused = 0
      const counts = { secure: 0, insecure: 0 }
      for (let step = 0; step < STEPS / DENIALS.length;) {
        const actions = randomActions(random, zone)
        const created = await call('POST', '/changes', { actions })
        if (created.status === 400) {
          // The change breaks a DNS rule. Another one is drawn.
          assert.isBelow(++refused, STEPS * 5, created.text)
          continue
        }
        assert.equal(created.status, 201, created.text)
        zone.took(actions)
        const [{ name, type }] = actions
        const cut = zone.delegations.length > 0 ? random.pick(zone.delegations) : null
        if (cut) counts[cut.isSecure ? 'secure' : 'insecure']++
        const problems = await Promise.all([
          zone.problem(zone.name, 'SOA'),
          zone.problem(name, type),
          zone.problem(`${random.pick(OWNERS)}.${zone.name}`, random.pick(TYPES)),
          cut && zone.problem(cut.name, 'DS'),
          // A missing name below a possible empty non-terminal.
          zone.problem(`no${step}.${random.pick(['c.b.a', 'w', 'g.f', 'none'])}.${zone.name}`, 'A'),
        ])
        const bad = problems.filter((problem) => problem !== null)
        const message = `seed ${SEED}, step ${step}, ${JSON.stringify(actions)}: ${bad.join(' ')}`
        assert.lengthOf(bad, 0, message)
        step++
      }
      assert.isAbove(counts.secure, 0)
      assert.isAbove(counts.insecure, 0)
      // Rectifying with PowerDNS must not change the proofs of denials.
      const before = await zone.picture()
      await server.rectify(zone.name)
      assert.deepEqual(await zone.picture(), before)
    })

  test('opt-out: a delegation has an NSEC3 record while it has a DS, and is proven to have none otherwise', async ({
    assert,
  }) => {
    const zone = await signedZone(DENIALS[2])
    const write = async (...sets: [owner: string, type: string, ...contents: string[]][]) => {
      const actions = sets.map(([owner, type, ...contents]): Action => {
        const key = { name: `${owner}.${zone.name}`, type }
        const records = contents.map((content) => ({ content, priority: 0 }))
        return records.length > 0
          ? { op: 'set', ...key, ttl: 300, records }
          : { op: 'clear', ...key }
      })
      const created = await call('POST', '/changes', { actions })
      assert.equal(created.status, 201, created.text)
      zone.took(actions)
    }
    /** Owners and flags of the NSEC3 records of an answer. */
    const proofs = async (name: string, type: string) => {
      const { authority } = await query(zone.port, name, type, { dnssec: true })
      return authority
        .filter((record) => record.type === 'NSEC3')
        .map((record) => [record.name.split('.')[0], record.data.split(' ')[1]])
    }
    const isChained = async (owner: string) => {
      const name = `${owner}.${zone.name}`
      const hash = nsec3Hash(name, { iterations: 0, salt: Buffer.alloc(0), optOut: true })
      const found = await proofs(`x.${name}`, 'A')
      return found.some(([label]) => label.toLowerCase() === hash)
    }
    const [ns] = CONTENTS.NS
    await write(
      ['www', 'A', '192.0.2.1'],
      ['plain', 'NS', `ns.plain.${zone.name}`],
      ['ns.plain', 'A', '192.0.2.2'],
      ['signed', 'NS', ns],
      ['signed', 'DS', ...CONTENTS.DS],
      // Empty non-terminals above an insecure delegation only.
      ['deep.g.f', 'NS', ns]
    )
    for (const owner of ['plain', 'deep.g.f']) {
      const name = `${owner}.${zone.name}`
      assert.equal(await validateBy(zone.anchors, zone.place, name, 'DS'), 'denial', owner)
      assert.isFalse(await isChained(owner), owner)
      const found = await proofs(`x.${name}`, 'A')
      assert.isTrue(
        found.some(([, flags]) => flags === '1'),
        owner
      )
    }
    const secure = `signed.${zone.name}`
    assert.isNull(await zone.problem(secure, 'DS'))
    assert.isEmpty(await proofs(`x.${secure}`, 'A'))

    await write(['signed', 'DS'], ['plain', 'DS', ...CONTENTS.DS])
    assert.equal(await validateBy(zone.anchors, zone.place, secure, 'DS'), 'denial')
    assert.isFalse(await isChained('signed'))
    assert.equal(await validateBy(zone.anchors, zone.place, `plain.${zone.name}`, 'DS'), 'answer')
    const before = await zone.picture()
    await server.rectify(zone.name)
    assert.deepEqual(await zone.picture(), before)
  })

  test('a key rollover keeps the zone valid at each step, with the DS record of the parent at that time', async ({
    assert,
  }) => {
    const zone = await signedZone(DENIALS[0])
    const keys = `/zones/${zone.id}/dnssec/keys`
    const www = { op: 'set' as const, name: `www.${zone.name}`, type: 'A' }
    const actions = [{ ...www, ttl: 300, records: [{ content: '192.0.2.1', priority: 0 }] }]
    await call('POST', '/changes', { actions })
    zone.took(actions)
    const isValid = async (when: string) => {
      for (const [name, type] of [
        [zone.name, 'SOA'],
        [zone.name, 'DNSKEY'],
        [www.name, 'A'],
        [`no.${zone.name}`, 'A'],
      ]) {
        assert.isNull(await zone.problem(name, type), when)
      }
    }
    const listed = await call('GET', keys)
    const [old] = listed.body.data
    await isValid('before')
    const added = await call('POST', keys, { type: 'csk', algorithm: 'ed25519', bits: 256 })
    assert.equal(added.status, 201, added.text)
    await isValid('with an inactive key')
    const next = `${keys}/${added.body.data.id}`
    await call('PATCH', next, { active: true })
    await isValid('with both keys, by the old DS')
    const status = await call('GET', `/zones/${zone.id}/dnssec`)
    const ofNew = status.body.data.ds_records.filter(
      ({ key_tag: tag }: { key_tag: number }) => tag === added.body.data.keytag
    )
    assert.isNotEmpty(ofNew)
    zone.anchors = trustDs(zone.name, ofNew)
    await isValid('with both keys, by the new DS')
    const disabledAnswer = await call('PATCH', `${keys}/${old.id}`, { active: false })
    assert.equal(disabledAnswer.status, 200, disabledAnswer.text)
    await isValid('with the old key inactive')
    await call('DELETE', `${keys}/${old.id}`)
    await isValid('with the new key alone')
  })
})
