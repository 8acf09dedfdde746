import { test } from '@japa/runner'
import { InvalidDns } from '#dns/errors'
import {
  canonicalRecord,
  presentContent,
  recordType,
  recordTypes,
  registerRecordType,
} from '#dns/records/registry'
import { RECORD_TABLES } from '../support/record_tables.js'

const APEX = 'example.org'
const builtIn = recordTypes().map(({ type }) => type)

const QUERY_TYPES = ['MAILA', 'MAILB']

function store(type: string, content: string, more: { name?: string; priority?: number } = {}) {
  const name = more.name ?? RECORD_TABLES[type]?.name ?? 'www.example.org'
  const priority = more.priority ?? RECORD_TABLES[type]?.priority ?? 0
  return canonicalRecord({ type, content, priority, disabled: false, name, apex: APEX })
}

function refusal(read: () => unknown): InvalidDns {
  try {
    read()
  } catch (error) {
    if (error instanceof InvalidDns) return error
    throw error
  }
  throw new Error('was not refused')
}

test.group('record types', () => {
  test('every registered type has its three tables with rows', ({ assert }) => {
    assert.sameMembers(Object.keys(RECORD_TABLES), builtIn)
    for (const [type, { canonical, accepted, refused }] of Object.entries(RECORD_TABLES)) {
      const stored = !QUERY_TYPES.includes(type)
      assert.isAtLeast(canonical.length, stored ? 5 : 0, type)
      assert.isAtLeast(accepted.length, stored && type !== 'A' ? 5 : 0, type)
      assert.isAtLeast(refused.length, 8, type)
    }
  })

  test('every type has a description and a canonical example', ({ assert }) => {
    for (const { type, rfc, summary, trap, example } of recordTypes()) {
      assert.match(rfc, /^RFC \d+/)
      assert.isNotEmpty(summary)
      assert.isNotEmpty(trap)
      if (!QUERY_TYPES.includes(type)) assert.equal(store(type, example).content, example)
    }
  })

  test('types are case-insensitive and listed by mnemonic', ({ assert }) => {
    assert.equal(recordType('aaaa')?.type, 'AAAA')
    assert.isUndefined(recordType('BOGUS'))
    assert.deepEqual(builtIn, [...builtIn].sort())
  })

  test('a plugin can register a type', ({ assert }) => {
    const a = recordType('A')!
    registerRecordType({ ...a, type: 'X-TEST', present: (content) => `<${content}>` })
    assert.equal(store('x-test', '192.0.2.1').content, '192.0.2.1')
    assert.equal(presentContent('X-Test', '192.0.2.1'), '<192.0.2.1>')
  })
})

test.group('record contents', () => {
  for (const [type, { canonical, accepted, refused }] of Object.entries(RECORD_TABLES)) {
    if (canonical.length > 0)
      test(`${type}: a canonical content is stored unchanged, and is printable ASCII`)
        .with(canonical)
        .run(({ assert }, content) => {
          assert.equal(store(type, content).content, content)
          assert.match(content, /^[ -~]*$/)
        })

    if (canonical.length > 0)
      test(`${type}: the displayed form of a canonical content parses to the same content`)
        .with(canonical)
        .run(({ assert }, content) => {
          assert.equal(store(type, presentContent(type, content)).content, content)
        })

    if (accepted.length > 0) {
      test(`${type}: another form of a content is stored in canonical form`)
        .with(accepted)
        .run(({ assert }, [given, stored]) => {
          assert.equal(store(type, given).content, stored)
          assert.equal(store(type, stored).content, stored)
        })
    }

    test(`${type}: an invalid content is refused with its reason`)
      .with(refused)
      .run(({ assert }, [given, reason]) => {
        const error = refusal(() => store(type, given))
        assert.include(error.message, reason)
        assert.match(error.message, /^Field 'content': ".*; allowed: /s)
      })
  }
})

test.group('records', () => {
  test('an unsupported type is refused with the list of supported ones', ({ assert }) => {
    const error = refusal(() => store('BOGUS', 'x'))
    assert.equal(error.field, 'type')
    assert.include(error.message, 'A, AAAA, AFSDB, ALIAS')
  })

  test('the default priority is 0', ({ assert }) => {
    assert.equal(refusal(() => store('A', '192.0.2.1', { priority: 1 })).field, 'priority')
    assert.equal(store('MX', 'mail.example.org', { priority: 65535 }).priority, 65535)
  })

  test('priority {$self} is refused')
    .with([-1, 65536, 1.5, Number.NaN])
    .run(({ assert }, priority) => {
      assert.equal(refusal(() => store('MX', 'mail.example.org', { priority })).field, 'priority')
    })

  test('a null MX has priority 0', ({ assert }) => {
    assert.equal(refusal(() => store('MX', '.', { priority: 10 })).field, 'priority')
  })

  test('a priority inside of an MX content is refused with the name of the field', ({ assert }) => {
    assert.include(refusal(() => store('MX', '10 mail.example.org')).message, "field 'priority'")
  })

  test('an SOA record exists at the apex only', ({ assert }) => {
    const { example } = recordType('SOA')!
    assert.equal(refusal(() => store('SOA', example, { name: 'www.example.org' })).rule, 'soa-apex')
  })

  test('an SRV record may have any owner name: {$self}')
    .with(['www.example.org', '_sip.example.org', 'sys-api-1._nmos-system._tcp.example.org'])
    .run(({ assert }, name) => {
      assert.equal(
        store('SRV', '5 5060 sip.example.org', { name }).content,
        '5 5060 sip.example.org'
      )
    })

  test('contents return their target hosts without the root', ({ assert }) => {
    const targets = (type: string, content: string) => recordType(type)!.targets(content)
    assert.deepEqual(targets('MX', 'mail.example.org'), ['mail.example.org'])
    assert.deepEqual(targets('MX', '.'), [])
    assert.deepEqual(targets('SRV', '5 5060 sip.example.org'), ['sip.example.org'])
    assert.deepEqual(targets('SRV', '0 0 .'), [])
    assert.deepEqual(targets('CNAME', 'www.example.org'), ['www.example.org'])
    for (const type of ['CNAME', 'DNAME', 'NS', 'PTR']) assert.deepEqual(targets(type, '.'), [])
    assert.deepEqual(targets('SOA', recordType('SOA')!.example), ['ns1.example.org'])
    assert.deepEqual(targets('TXT', '"www.example.org"'), [])
  })

  test('a content above the wire limit is refused before it is parsed', ({ assert }) => {
    assert.include(refusal(() => store('TXT', 'a'.repeat(262141))).message, 'is too long')
  })

  test('the message quotes the value, and truncates a long one', ({ assert }) => {
    const error = refusal(() => store('A', '9'.repeat(500)))
    assert.isBelow(error.message.length, 250)
    assert.equal(error.value.length, 500)
    assert.include(refusal(() => store('A', 'a"b')).message, '"a\\"b"')
  })
})

test.group('Displayed TXT contents', () => {
  test('{0} is displayed as {1}')
    .with([
      ['"v=spf1 -all"', 'v=spf1 -all'],
      ['"a" "b"', '"a" "b"'],
      ['"\\195\\164"', 'ä'],
      ['"\\240\\159\\166\\138"', '🦊'],
      ['"\\195\\164" "\\195"', '"ä" "\\195"'],
      ['"say \\"hi\\" \\\\ there"', 'say \\"hi\\" \\\\ there'],
      ['"\\000\\127\\194\\133\\226\\128\\174"', '\\000\\127\\194\\133\\226\\128\\174'],
      ['"\\239\\187\\191x"', '\\239\\187\\191x'],
      ['""', '""'],
      ['" x"', '" x"'],
      ['"\\194\\160x"', '"\u00a0x"'],
      ['not quoted', 'not quoted'],
      ['"broken', '"broken'],
    ])
    .run(({ assert }, [content, shown]) => {
      assert.equal(presentContent('TXT', content), shown)
    })

  test('a content of an unsupported type is displayed unchanged', ({ assert }) => {
    assert.equal(presentContent('BOGUS', '51 30 N'), '51 30 N')
  })
})

test.group('DMARC policies', () => {
  const at = (content: string, name = '_dmarc.example.org') => store('TXT', content, { name })

  test('the policy {$self} is accepted')
    .with([
      'v=DMARC1; p=none',
      'v=DMARC1;p=reject;sp=quarantine;adkim=s;aspf=r;pct=50;ri=86400;fo=1:d:s;rf=afrf;',
      'v=DMARC1; p=none; rua=mailto:a@example.org,mailto:b@example.org!10m; ruf=mailto:c@example.org',
      'v = DMARC1; p = none',
      'some other text',
      // RFC 7489, section 6.3: unknown tags are ignored. It sets no length limit.
      'v=DMARC1; p=maybe; zz=1',
      `v=DMARC1; p=reject; rua=${'mailto:a@example.org,'.repeat(15)}mailto:b@example.org`,
    ])
    .run(({ assert }, content) => {
      assert.equal(at(content).content, `"${content}"`)
    })

  test('the same text at other names is ordinary text', ({ assert }) => {
    assert.equal(at('v=DMARC1; p=maybe', 'www.example.org').content, '"v=DMARC1; p=maybe"')
  })
})
