import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { test } from '@japa/runner'
import { wizardOf } from '#dns/wizards/registry'
import { textContent, textOf, type WizardRecord, type WizardValues } from '#dns/wizards/wizard'

const APEX = 'example.org'

const context = (existing: WizardRecord[]) => ({ apex: APEX, existing, now: 0 })
const record = (type: string, content: string, name = APEX) => {
  return { name, type, content, priority: 0 }
}
const txt = (text: string, name = APEX) => record('TXT', textContent(text), name)

/** Returns the result of a wizard for stored records with these values changed. */
function changed(kind: string, existing: WizardRecord[], values: WizardValues = {}) {
  const wizard = wizardOf(kind)!
  const defaults = Object.fromEntries(wizard.fields.map(({ name, value = '' }) => [name, value]))
  const given = { ...defaults, ...(kind === 'dkim' ? { selector: 's1' } : {}) }
  const loaded = wizard.load(given, context(existing))
  return wizard.make({ ...loaded, ...values }, context(existing))
}

type Outcome = ReturnType<typeof changed>

const contentsOf = ({ requested }: Outcome) => requested[0].records.map(({ content }) => content)
const textsOf = ({ requested }: Outcome) =>
  requested.flatMap(({ type, records }) =>
    type === 'TXT' ? records.map(({ content }) => textOf(content)) : []
  )
const hintsOf = ({ hints }: Outcome) => hints.map(({ text }) => text)
const problemsOf = ({ problems }: Outcome) =>
  problems.map((problem) => [problem.field, 'text' in problem ? problem.text : 'message'])

type DerOptions = { type: 'spki'; format: 'der' }

const base64 = (key: KeyObject, type: 'spki' | 'pkcs8' | 'pkcs1' | 'sec1') =>
  key.export({ type, format: 'der' } as DerOptions).toString('base64')

const isWithheld = (field: string, text: string) => wizardOf('dkim')?.withholds?.(field, text)

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ed = generateKeyPairSync('ed25519')
const PUBLIC = base64(rsa.publicKey, 'spki')

test.group('Wizards and private keys', () => {
  const secrets = {
    'RSA, PKCS 8': base64(rsa.privateKey, 'pkcs8'),
    'RSA, PKCS 1': base64(rsa.privateKey, 'pkcs1'),
    'EC, SEC 1': base64(ec.privateKey, 'sec1'),
    'Ed25519, PKCS 8': base64(ed.privateKey, 'pkcs8'),
  }
  for (const [kind, secret] of Object.entries(secrets)) {
    test(`${kind} without its PEM lines is refused and not displayed`, ({ assert }) => {
      const lines = secret.replace(/(.{64})/g, '$1\n')
      for (const key of [secret, lines, `v=DKIM1; k=rsa; p=${secret}`]) {
        assert.deepEqual(problemsOf(changed('dkim', [], { key })), [['key', 'dkim_private']])
        assert.isTrue(isWithheld('key', key))
      }
      assert.isTrue(isWithheld('key', secret.slice(0, -40)), 'a part of it')
    })
  }

  test('public keys are accepted and displayed', ({ assert }) => {
    const keys = [PUBLIC, base64(rsa.publicKey, 'pkcs1'), base64(ed.publicKey, 'spki')]
    for (const key of [...keys, `v=DKIM1; p=${PUBLIC}`]) {
      assert.deepEqual(problemsOf(changed('dkim', [], { key })), [])
      assert.isFalse(isWithheld('key', key))
    }
    assert.isFalse(isWithheld('key', ''))
    assert.isFalse(isWithheld('name', 'www'))
  })
})

test.group('Wizards and existing records', () => {
  test('CAA: commas are part of values, and flags stay', ({ assert }) => {
    const existing = [
      '128 issue "ca.example; validationmethods=http-01,dns-01"',
      '0 issue "b.example"',
      '128 issuewild ";"',
      '0 iodef "mailto:a@example.org?subject=a,b"',
      '0 iodef "https://example.org/report"',
    ].map((content) => record('CAA', content))
    const same = changed('caa', existing)
    assert.deepEqual(problemsOf(same), [])
    assert.sameMembers(
      contentsOf(same),
      existing.map(({ content }) => content)
    )
    const issue = 'ca.example; validationmethods=http-01,dns-01\nc.example'
    assert.deepEqual(contentsOf(changed('caa', existing, { issue })).slice(0, 3), [
      '128 issue "ca.example; validationmethods=http-01,dns-01"',
      '0 issue "c.example"',
      '128 issuewild ";"',
    ])
  })

  test('SPF: terms keep their order, because the first match decides', ({ assert }) => {
    for (const text of [
      'v=spf1 -ip4:192.0.2.5 ip4:192.0.2.0/24 -all',
      'v=spf1 include:a.example ?ip4:192.0.2.5 MX +a ip4:192.0.2.0/24 exists:%{i}.example ~all',
      'v=spf1 ip4:192.0.2.1 exp=why.example include:b.example redirect=c.example',
    ]) {
      assert.deepEqual(textsOf(changed('spf', [txt(text)])), [text])
    }
  })

  test('SPF: terms are inserted before the end, replaced or removed', ({ assert }) => {
    const existing = [
      txt('v=spf1 ip4:192.0.2.1 -exists:%{i}.no.example ip4:192.0.2.0/24 mx ~all exp=why.example'),
    ]
    const of = (values: WizardValues) => textsOf(changed('spf', existing, values))[0]
    assert.equal(
      of({ ip: '192.0.2.9\n192.0.2.0/24\n198.51.100.1', a: 'on', all: '-all' }),
      'v=spf1 ip4:192.0.2.9 -exists:%{i}.no.example ip4:192.0.2.0/24 mx a ip4:198.51.100.1 -all exp=why.example'
    )
    assert.equal(
      of({ mx: '', other: 'exp=why.example', includes: 'x.example' }),
      'v=spf1 ip4:192.0.2.1 ip4:192.0.2.0/24 include:x.example ~all exp=why.example'
    )
    assert.equal(
      of({ other: '-exists:%{i}.no.example exists:%{i}.x.example' }),
      'v=spf1 ip4:192.0.2.1 -exists:%{i}.no.example ip4:192.0.2.0/24 mx exists:%{i}.x.example ~all'
    )
    const redirecting = [txt('v=spf1 mx redirect=a.example')]
    assert.deepEqual(textsOf(changed('spf', redirecting, { a: 'on' })), [
      'v=spf1 mx a redirect=a.example',
    ])
  })

  test('SPF: the first "all" counts, and redirect next to it is ignored', ({ assert }) => {
    const ignored = changed('spf', [txt('v=spf1 redirect=a.example ~all')])
    assert.deepEqual(hintsOf(ignored), ['spf_redirect_ignored'])
    const followed = changed('spf', [txt('v=spf1 redirect=a.example')])
    assert.deepEqual(hintsOf(followed), ['spf_counted'])
    const ten = Array.from({ length: 10 }, (_, at) => `include:s${at}.example`).join(' ')
    const full = changed('spf', [txt(`v=spf1 ${ten} redirect=a.example -all`)])
    assert.deepEqual(problemsOf(full), [])
    assert.deepEqual(problemsOf(changed('spf', [txt(`v=spf1 ${ten} redirect=a.example`)])), [
      ['includes', 'spf_lookups'],
    ])
  })

  test('mail: an unchanged policy keeps its text', ({ assert }) => {
    const spf = record('TXT', '"v=spf1 " "-ip4:192.0.2.5  ip4:192.0.2.0/24 -all"')
    const existing = [{ ...record('MX', 'mx.example.net'), priority: 10 }, spf]
    const same = changed('mail', existing, { p: 'reject' })
    assert.deepEqual(problemsOf(same), [])
    assert.deepEqual(same.requested[1].records, [{ content: spf.content }])
    assert.deepEqual(textsOf(changed('mail', existing, { includes: 'a.example' }))[0].split(' '), [
      'v=spf1',
      '-ip4:192.0.2.5',
      'ip4:192.0.2.0/24',
      'include:a.example',
      '-all',
    ])
  })

  test('DKIM: tags and flags without a field stay', ({ assert }) => {
    const name = `s1._domainkey.${APEX}`
    const existing = [txt(`v=DKIM1; k=rsa; t=y:s; h=sha256; s=email; n=a note; p=${PUBLIC}`, name)]
    assert.deepEqual(textsOf(changed('dkim', existing)), [textOf(existing[0].content)])
    assert.deepEqual(textsOf(changed('dkim', existing, { testing: '' })), [
      `v=DKIM1; k=rsa; t=s; h=sha256; s=email; n=a note; p=${PUBLIC}`,
    ])
    const flagged = changed('dkim', existing, { testing: '', other: 't=y' })
    assert.deepEqual(textsOf(flagged), [`v=DKIM1; k=rsa; t=y; p=${PUBLIC}`])
    assert.include(hintsOf(flagged), 'dkim_testing_on')
    for (const other of ['k=ed25519', 'p=abc', 'P=abc', 'word', 'h=a; h=b', 'n=\u00e9']) {
      assert.deepEqual(
        problemsOf(changed('dkim', existing, { other })),
        [['other', 'dkim_other_bad']],
        other
      )
    }
  })

  test('DMARC: the size of reports is not part of their domain', ({ assert }) => {
    const of = (rua: string) => hintsOf(changed('dmarc', [], { p: 'quarantine', rua }))
    assert.deepEqual(of('mailto:a@example.org!10m'), [])
    assert.deepEqual(of('mailto:a@example.net!10m'), ['dmarc_outside'])
  })
})
