import { test } from '@japa/runner'
import { InvalidDns } from '#dns/errors'
import { recordTypes } from '#dns/records/registry'
import { placeholderValues } from '#dns/templates/placeholders'
import {
  checkedTemplateRecord,
  expandRecord,
  firstTemplateRecord,
  fitsZone,
  presentTemplateContent,
} from '#dns/templates/template_record'

const DEFAULTS = {
  nameServers: ['ns1.example.net'],
  hostmaster: 'hostmaster.example.net',
  refresh: 1,
  retry: 2,
  expire: 3,
  minimum: 4,
}
const SAMPLE_TIME = { day: { year: 2026, month: 3, day: 9 }, seconds: 1_773_014_400 }
const VALUES = placeholderValues('example.com', DEFAULTS, SAMPLE_TIME)

const record = (name: string, type: string, content: string) => ({
  name,
  type,
  content,
  ttl: 60,
  priority: 0,
})

test.group('Records of zone templates', () => {
  test('names become absolute: by the zone, by a placeholder, or relative', ({ assert }) => {
    for (const [name, absolute] of [
      ['[ZONE]', 'example.com.'],
      ['@', 'example.com.'],
      ['www.[ZONE]', 'www.example.com.'],
      ['www', 'www.example.com.'],
      ['[DOMAIN]', 'example.example.com.'],
    ]) {
      assert.equal(expandRecord(record(name, 'A', '192.0.2.1'), VALUES).name, absolute)
    }
  })

  test('the first record of a new template is an SOA record', ({ assert }) => {
    assert.deepEqual(expandRecord(firstTemplateRecord(300), VALUES), {
      name: 'example.com.',
      type: 'SOA',
      content: 'ns1.example.net hostmaster.example.net 2026030900 28800 7200 604800 86400',
      ttl: 300,
      priority: 0,
    })
  })

  test('an SOA record of three fields gets the timers of the settings', ({ assert }) => {
    const bare = record('@', 'SOA', '[NS1] [HOSTMASTER] [COUNTER]')
    assert.equal(
      expandRecord(bare, VALUES).content,
      'ns1.example.net hostmaster.example.net 1 1 2 3 4'
    )
  })

  test('every user-editable type is accepted with its example', ({ assert }) => {
    for (const { type, example, writer, priority } of recordTypes()) {
      if (writer === 'server') continue
      const name = type === 'SOA' ? '@' : type === 'SRV' ? '_sip._tcp' : 'sub'
      const content = type === 'TXT' && !example.startsWith('"') ? `"${example}"` : example
      const input = { ...record(name, type, content), priority: priority ? 1 : 0 }
      const checked = checkedTemplateRecord(input)
      assert.deepEqual(checkedTemplateRecord(checked), checked, type)
    }
  })

  test('a content without placeholders is stored in canonical form', ({ assert }) => {
    const stored = (type: string, content: string) =>
      checkedTemplateRecord(record('x', type, content)).content
    assert.equal(stored('AAAA', '2001:DB8::0:1'), '2001:db8::1')
    assert.equal(stored('CNAME', 'Host.Example.NET.'), 'host.example.net')
    assert.equal(stored('CNAME', 'Host.[ZONE].'), 'Host.[ZONE].')
  })

  test('text is entered with quotes, and displayed without', ({ assert }) => {
    assert.throws(() => checkedTemplateRecord(record('@', 'TXT', 'bare')), /is not in quotes/)
    const txt = checkedTemplateRecord(record('@', 'TXT', '"v=spf1 a:[ZONE] -all"'))
    assert.equal(presentTemplateContent(txt), 'v=spf1 a:[ZONE] -all')
    const two = checkedTemplateRecord(record('@', 'TXT', '"a" "b"'))
    assert.equal(presentTemplateContent(two), '"a" "b"')
  })

  test('a record that no zone could contain is refused with its field', ({ assert }) => {
    for (const [field, name, type, content] of [
      ['content', 'x', 'A', '[ZONE]'],
      ['content', '@', 'SOA', '[NS1] [WHO] [SERIAL] 1 2 3 4'],
      ['name', 'www', 'SOA', '[NS1] [HOSTMASTER] [SERIAL]'],
      ['name', 'www.[WHO]', 'A', '192.0.2.1'],
      ['name', 'www.elsewhere.net.', 'A', '192.0.2.1'],
      ['type', 'x', 'NOPE', 'x'],
    ]) {
      try {
        checkedTemplateRecord(record(name, type, content))
        assert.fail(`${name} ${type} ${content} was taken`)
      } catch (error) {
        assert.instanceOf(error, InvalidDns)
        assert.equal((error as InvalidDns).field, field)
      }
    }
  })

  test('a reverse zone only gets suitable records', ({ assert }) => {
    const taken = (apex: string) =>
      ['SOA', 'NS', 'PTR', 'TXT', 'CNAME', 'LUA', 'A', 'AAAA', 'MX'].filter((type) =>
        fitsZone(apex, { type })
      )
    assert.lengthOf(taken('example.com'), 9)
    assert.deepEqual(taken('2.0.192.in-addr.arpa'), ['SOA', 'NS', 'PTR', 'TXT', 'CNAME', 'LUA'])
    assert.deepEqual(taken('8.b.d.0.ip6.arpa'), ['SOA', 'NS', 'PTR', 'TXT', 'CNAME', 'LUA'])
  })
})
