import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import { canonicalRecord } from '#dns/records/registry'
import { wizardOf, WIZARDS } from '#dns/wizards/registry'
import { textContent, type WizardRecord, type WizardValues } from '#dns/wizards/wizard'

const APEX = 'example.org'
const NOW = Date.parse('2026-06-01')

const txt = (name: string, text: string): WizardRecord => {
  return { name, type: 'TXT', content: textContent(text), priority: 0 }
}

function context(existing: WizardRecord[] = []) {
  return { apex: APEX, existing, now: NOW }
}

/** Returns the result of the wizard for these values and its defaults. */
function runWizard(kind: string, values: WizardValues, existing: WizardRecord[] = []) {
  const wizard = wizardOf(kind)!
  const defaults = Object.fromEntries(wizard.fields.map(({ name, value = '' }) => [name, value]))
  return wizard.make({ ...defaults, ...values }, context(existing))
}

const problemsOf = (kind: string, values: WizardValues) =>
  runWizard(kind, values).problems.map((problem) => [
    problem.field,
    'text' in problem ? problem.text : 'message',
  ])

const hintsOf = (outcome: { hints: { text: string }[] }) => outcome.hints.map(({ text }) => text)

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = publicKey.export({ type: 'spki', format: 'pem' }).toString()
const DATA = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

const CERTIFICATE = readFileSync('tests/fixtures/certificate.pem', 'utf8')
/** SHA-256 of its public key and SHA-512 of the whole certificate, by `openssl`, `sha256sum` and `sha512sum`. */
const KEY_SHA256 = '4a03196104790ff1c4572c74cc31a802d6592763edf1ff300dfdd1f50a65a462'
const CERTIFICATE_SHA512 =
  'd604ec0c9956e94456e51a25adc25b6e97523b8e6558409b1f4c79d78f23c8130faf946f243c2dcee84f66c66df95b7fb393fc6f0434d456abeadb2e826cea47'

test.group('Wizards', () => {
  test('each wizard loads its own records, and creates the same ones from them', ({ assert }) => {
    const given: Record<string, WizardValues> = {
      mail: { hosts: '10 mx1.example.net\n20 mx2.example.net', p: 'quarantine', all: '-all' },
      spf: {
        includes: '_spf.example.net',
        ip: '192.0.2.0/24\n2001:db8::/32',
        other: 'exists:%{i}.x.org',
      },
      dkim: { selector: 's1', key: PEM },
      dmarc: { p: 'reject', rua: 'mailto:a@example.org', other: 'fo=1' },
      caa: {
        issue: 'letsencrypt.org; validationmethods=dns-01',
        issuewild: ';',
        iodef: 'mailto:a@b.org',
      },
      srv: { service: 'sip', target: 'sip.example.org', port: '5060' },
      verification: { text: 'site-verification=abc' },
    }
    for (const [kind, values] of Object.entries(given)) {
      const outcome = runWizard(kind, values)
      assert.deepEqual(outcome.problems, [], kind)
      const existing = outcome.requested.flatMap(({ name, type, records }) =>
        records.map(({ content, priority = 0 }) => {
          const record = canonicalRecord({
            name,
            type,
            content,
            priority,
            disabled: false,
            apex: APEX,
          })
          return { name, type, content: record.content, priority }
        })
      )
      const wizard = wizardOf(kind)!
      const defaults = Object.fromEntries(
        wizard.fields.map(({ name, value = '' }) => [name, value])
      )
      const loaded = wizard.load({ ...defaults, ...values }, context(existing))
      assert.deepEqual(
        wizard.make(loaded, context(existing)).requested.map(plain),
        outcome.requested.map(plain),
        kind
      )
      for (const record of existing) {
        const set = outcome.requested.find(
          ({ name, type }) => name === record.name && type === record.type
        )
        assert.isTrue(set?.isOwn(record), `${kind} knows its own ${record.content}`)
      }
    }
  })

  test('SPF: an existing policy is changed, and its other terms stay', ({ assert }) => {
    const wizard = wizardOf('spf')!
    const existing = [
      txt(APEX, 'v=spf1 mx include:a.example redirect=b.example'),
      txt(APEX, 'other'),
    ]
    const values = wizard.load({ name: '@' }, context(existing))
    assert.containsSubset(values, {
      mx: 'on',
      includes: 'a.example',
      all: '',
      other: 'redirect=b.example',
    })
    const [set] = wizard.make({ ...values, a: 'on' }, context(existing)).requested
    assert.deepEqual(
      set.records.map(({ content }) => content),
      ['"v=spf1 mx include:a.example a redirect=b.example"']
    )
    assert.deepEqual(existing.map(set.isOwn), [true, false])
  })

  test('SPF: too many lookups, invalid networks and terms are refused, and doubtful ones get a warning', ({
    assert,
  }) => {
    const many = Array.from({ length: 11 }, (_, at) => `s${at}.example`).join('\n')
    assert.deepEqual(problemsOf('spf', { mx: '', includes: many }), [['includes', 'spf_lookups']])
    assert.deepEqual(problemsOf('spf', { ip: '192.0.2.300' }), [['ip', 'bad_network']])
    assert.deepEqual(problemsOf('spf', { ip: '192.0.2.0/40' }), [['other', 'message']])
    assert.deepEqual(problemsOf('spf', { other: 'nonsense' }), [['other', 'message']])
    assert.deepEqual(problemsOf('spf', { all: '+all' }), [['all', 'bad_choice']])
    assert.include(hintsOf(runWizard('spf', { all: '' })), 'spf_open_end')
    assert.include(hintsOf(runWizard('spf', { all: '', other: '+all' })), 'spf_everybody')
    const twice = [txt(APEX, 'v=spf1 -all'), txt(APEX, 'v=spf1 mx -all')]
    assert.include(hintsOf(runWizard('spf', {}, twice)), 'spf_many')
  })

  test('DKIM: a key as PEM, base64 or whole record gives the same record with strings of 255 bytes', ({
    assert,
  }) => {
    const pkcs1 = publicKey.export({ type: 'pkcs1', format: 'pem' }).toString()
    const record = `s1._domainkey IN TXT ( "v=DKIM1; k=rsa; "\n "p=${DATA.slice(0, 200)}"\n "${DATA.slice(200)}" )`
    for (const key of [PEM, pkcs1, DATA, record]) {
      const { requested, problems, hints } = runWizard('dkim', { selector: 's1', key })
      assert.deepEqual(problems, [], key.slice(0, 40))
      assert.equal(requested[0].name, `s1._domainkey.${APEX}`)
      assert.equal(requested[0].records[0].content, textContent(`v=DKIM1; k=rsa; p=${DATA}`))
      assert.isTrue(/" "/.test(requested[0].records[0].content))
      assert.containsSubset(hints, [{ text: 'dkim_bits', values: { bits: 2048 } }])
    }
  })

  test('DKIM: private, short and broken keys are refused', ({ assert }) => {
    const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const short = generateKeyPairSync('rsa', { modulusLength: 768 }).publicKey
    const of = (key: string) => problemsOf('dkim', { selector: 's1', key })
    assert.deepEqual(of(secret), [['key', 'dkim_private']])
    for (const type of ['pkcs8', 'pkcs1'] as const) {
      const bare = privateKey.export({ type, format: 'der' }).toString('base64')
      assert.deepEqual(of(bare), [['key', 'dkim_private']], type)
      assert.isTrue(wizardOf('dkim')!.withholds?.('key', bare))
      assert.isTrue(wizardOf('dkim')!.withholds?.('key', bare.slice(8)))
    }
    assert.isFalse(wizardOf('dkim')!.withholds?.('key', PEM))
    assert.deepEqual(of(short.export({ type: 'spki', format: 'pem' }).toString()), [
      ['key', 'dkim_short_key'],
    ])
    assert.deepEqual(of('bm90IGEga2V5'), [['key', 'dkim_bad_key']])
    assert.deepEqual(of(''), [['key', 'dkim_no_key']])
    assert.deepEqual(problemsOf('dkim', { selector: 'a b', key: PEM }), [
      ['selector', 'dkim_selector_bad'],
    ])
    const ed = generateKeyPairSync('ed25519')
      .publicKey.export({ type: 'spki', format: 'pem' })
      .toString()
    assert.match(
      runWizard('dkim', { selector: 'ed', key: ed }).requested[0].records[0].content,
      /k=ed25519; p=[\w+/]{43}=/
    )
  })

  test('DMARC: tags without a field stay, and large steps get a warning', ({ assert }) => {
    const wizard = wizardOf('dmarc')!
    const existing = [txt(`_dmarc.${APEX}`, 'v=DMARC1; p=none; pct=50; rua=mailto:x@other.example')]
    const values = wizard.load({ name: '@' }, context(existing))
    const outcome = wizard.make({ ...values, p: 'reject' }, context(existing))
    assert.equal(
      outcome.requested[0].records[0].content,
      '"v=DMARC1; p=reject; rua=mailto:x@other.example; pct=50"'
    )
    assert.deepEqual(hintsOf(outcome), ['dmarc_step', 'dmarc_outside'])
    assert.deepEqual(hintsOf(runWizard('dmarc', {})), ['dmarc_watches', 'dmarc_no_reports'])
    assert.deepEqual(problemsOf('dmarc', { p: 'refuse' }), [['p', 'bad_choice']])
    assert.deepEqual(problemsOf('dmarc', { other: 'zz=1' }), [['other', 'message']])
  })

  test('reports only go to addresses and URIs', ({ assert }) => {
    const contentFor = (rua: string) => runWizard('dmarc', { rua }).requested[0].records[0].content
    for (const [typed, uris] of [
      ['a@example.org', 'mailto:a@example.org'],
      ['a@example.org b@example.net!10m', 'mailto:a@example.org,mailto:b@example.net!10m'],
      ['a!b@example.org', 'mailto:a%21b@example.org'],
      ['a%2Cb@example.org', 'mailto:a%2Cb@example.org'],
      ['mailto:a@example.org?subject=x', 'mailto:a@example.org?subject=x'],
      ['https://example.org/report', 'https://example.org/report'],
    ]) {
      assert.deepEqual(problemsOf('dmarc', { rua: typed }), [], typed)
      assert.equal(contentFor(typed), `"v=DMARC1; p=none; rua=${uris}"`)
    }
    const wrong = ['a', 'a@', '@example.org', 'a@example', 'a@b@', 'mailto:', 'ftp://example.org/']
    wrong.push('mailto:a!b@example.org', 'a@example.org!', 'a@example.org!10x', 'a"b@example.org')
    wrong.push('a@exa_mple..org', 'https://', 'a@exämple.org', 'mailto:a%2@example.org')
    for (const typed of wrong) {
      for (const field of ['rua', 'ruf']) {
        assert.deepEqual(problemsOf('dmarc', { [field]: typed }), [[field, 'bad_report']], typed)
      }
    }
    const several = problemsOf('dmarc', { rua: 'not an address;p=reject' })
    assert.deepEqual(several, Array.from({ length: 4 }).fill(['rua', 'bad_report']))
    assert.deepEqual(problemsOf('mail', { hosts: 'mx.example.net', rua: 'nobody' }), [
      ['rua', 'bad_report'],
    ])
    for (const iodef of ['nobody', 'a b@example.org', 'ftp://example.org/', 'https://']) {
      const found = problemsOf('caa', { issue: 'ca.example', iodef })
      assert.deepEqual(found, [['iodef', 'bad_report']], iodef)
    }
    assert.deepEqual(problemsOf('caa', { issue: 'ca.example', iodef: 'a@example.org' }), [])
  })

  test('CAA: other tags stay, and contradictions are refused', ({ assert }) => {
    const { requested, hints } = runWizard('caa', { issue: 'letsencrypt.org' })
    const of = (content: string) => ({ name: APEX, type: 'CAA', content, priority: 0 })
    assert.deepEqual(
      ['0 issue "a.example"', '0 issuemail "a.example"'].map((content) =>
        requested[0].isOwn(of(content))
      ),
      [true, false]
    )
    assert.deepEqual(
      hints.map(({ text }) => text),
      ['caa_wild_too', 'caa_shuts_out']
    )
    assert.deepEqual(problemsOf('caa', { issue: 'a.example', nobody: 'on' }), [
      ['issue', 'caa_both'],
    ])
    assert.deepEqual(problemsOf('caa', {}), [['issue', 'caa_nothing']])
    assert.equal(runWizard('caa', { nobody: 'on' }).requested[0].records[0].content, '0 issue ";"')
  })

  test('TLSA: the record is computed from the certificate and added to existing ones', ({
    assert,
  }) => {
    const contentOf = (values: WizardValues) =>
      runWizard('tlsa', { certificate: CERTIFICATE, ...values }).requested[0].records[0].content
    assert.equal(contentOf({}), `3 1 1 ${KEY_SHA256}`)
    assert.equal(contentOf({ selector: '0', matching: '2' }), `3 0 2 ${CERTIFICATE_SHA512}`)
    const base64 = CERTIFICATE.replace(/-----[A-Z ]+-----|\s/g, '')
    const hex = Buffer.from(base64, 'base64').toString('hex')
    assert.equal(contentOf({ selector: '0', matching: '0', usage: '2' }), `2 0 0 ${hex}`)
    const other = { name: `_443._tcp.${APEX}`, type: 'TLSA', content: '3 1 1 00', priority: 0 }
    const outcome = runWizard('tlsa', { certificate: CERTIFICATE }, [other])
    assert.isFalse(outcome.requested[0].isOwn(other))
    assert.include(hintsOf(outcome), 'tlsa_others')
    assert.equal(outcome.requested[0].name, `_443._tcp.${APEX}`)
    assert.deepEqual(problemsOf('tlsa', { certificate: CERTIFICATE, port: '0' }), [
      ['port', 'bad_port'],
    ])
    assert.deepEqual(problemsOf('tlsa', {}), [['certificate', 'tlsa_no_certificate']])
    const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    assert.deepEqual(problemsOf('tlsa', { certificate: secret }), [['certificate', 'tlsa_private']])
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'
    assert.deepEqual(problemsOf('tlsa', { certificate: broken }), [
      ['certificate', 'tlsa_bad_certificate'],
    ])
  })

  test('mail: MX, SPF and DMARC are changed at once, each only by the form', ({ assert }) => {
    const existing = [
      { name: APEX, type: 'MX', content: 'old.example.org', priority: 5 },
      txt(APEX, 'v=spf1 a ip4:192.0.2.1 ~all'),
      txt(`_dmarc.${APEX}`, 'v=DMARC1; p=none; sp=reject'),
    ]
    const wizard = wizardOf('mail')!
    const values = wizard.load({ name: '@' }, context(existing))
    assert.containsSubset(values, { hosts: '5 old.example.org', all: '~all', p: 'none' })
    const changed = {
      ...values,
      hosts: 'mx1.example.net\nmx2.example.net',
      all: '-all',
      p: 'quarantine',
    }
    const outcome = wizard.make(changed, context(existing))
    assert.deepEqual(outcome.problems, [])
    assert.deepEqual(
      outcome.requested.map(({ type, records }) => [type, records]),
      [
        [
          'MX',
          [
            { content: 'mx1.example.net', priority: 10 },
            { content: 'mx2.example.net', priority: 20 },
          ],
        ],
        ['TXT', [{ content: '"v=spf1 a ip4:192.0.2.1 -all"' }]],
        ['TXT', [{ content: '"v=DMARC1; p=quarantine; sp=reject"' }]],
      ]
    )
    assert.deepEqual(problemsOf('mail', { hosts: '' }), [['hosts', 'mail_no_hosts']])
    assert.deepEqual(problemsOf('mail', { hosts: '.\nmx.example.net' }), [
      ['hosts', 'mail_none_and_some'],
    ])
  })

  test('invalid names, and names of other zones, are errors of their field', ({ assert }) => {
    for (const kind of WIZARDS.map((wizard) => wizard.kind)) {
      const values = { name: 'a..b', hosts: 'mx.example.net', selector: 's1', key: PEM, text: 'x' }
      const more = {
        issue: 'a.example',
        service: 'sip',
        target: 'a.example',
        port: '1',
        certificate: CERTIFICATE,
      }
      const fields = runWizard(kind, { ...values, ...more }).problems.map(({ field }) => field)
      assert.include(fields, 'name', kind)
    }
    assert.deepEqual(problemsOf('verification', { name: 'www.elsewhere.example.', text: 'x' }), [
      ['name', 'message'],
    ])
  })
})

function plain({ name, type, records }: { name: string; type: string; records: object[] }) {
  return { name, type, records }
}
