import { test } from '@japa/runner'
import { dyndnsQuery, valueOf } from '#controllers/dyndns/query'
import { decodableTarget } from '#zones/dynamic_dns/endpoint_paths'

const read = (target: string) => Object.fromEntries(dyndnsQuery(target))

test.group('Queries of dynamic DNS clients', () => {
  test('escapes are decoded, and nothing else is changed', ({ assert }) => {
    assert.deepEqual(read('/nic/update?hostname=a.example&myip=192.0.2.1'), {
      hostname: ['a.example'],
      myip: ['192.0.2.1'],
    })
    assert.deepEqual(read('/nic/update?password=a+b/c==&username=Jo%40x%2B'), {
      password: ['a+b/c=='],
      username: ['Jo@x+'],
    })
    assert.deepEqual(read('/nic/update?password=100%&username=%e4%zz&HOSTNAME=%c3%a4'), {
      password: ['100%'],
      username: ['ä%zz'],
      hostname: ['ä'],
    })
    assert.deepEqual(read('/nic/update?password=a?b#c&verbose'), {
      password: ['a?b#c'],
      verbose: [''],
    })
    assert.deepEqual(read('/nic/update'), {})
    assert.deepEqual(read('/nic/update?&&=x&amp;myip=1'), { myip: ['1'] })
  })

  test('placeholders without a value count as absent', ({ assert }) => {
    for (const word of [
      '%h',
      '%i',
      '%IP%',
      '<ipaddr>',
      '<>',
      '__MYIP__',
      '${ip}',
      '{ip}',
      '[ip]',
    ]) {
      assert.deepEqual(read(`/nic/update?myip=${word}&x=1`), { x: ['1'] }, word)
    }
  })

  test('an appended address counts', ({ assert }) => {
    const glued =
      '/nic/update?hostname=%h&myip=%i/nic/update?system=dyndns&hostname=a.example&myip=192.0.2.1'
    assert.deepEqual(read(glued), {
      system: ['dyndns'],
      hostname: ['a.example'],
      myip: ['192.0.2.1'],
    })
    assert.deepEqual(read('/dynamic_update.php?hostname=/nic/update?myip=192.0.2.1'), {
      hostname: [''],
      myip: ['192.0.2.1'],
    })
  })

  test('the last non-blank value counts, of the first name with one', ({ assert }) => {
    const query = dyndnsQuery('/nic/update?myip=1&myip=2&myip=&ip=3&x=%20')
    assert.equal(valueOf(query, 'myip', 'ip'), '2')
    assert.equal(valueOf(query, 'x', 'ip'), '3')
    assert.isUndefined(valueOf(query, 'x'))
  })

  test('paths that cannot be decoded are reduced to the endpoint', ({ assert }) => {
    assert.equal(decodableTarget('/%h/nic/update?myip=1'), '/nic/update?myip=1')
    assert.equal(decodableTarget('/nic/update%h'), '/nic/update')
    assert.equal(decodableTarget('/dynamic_update.php/%i?a=%'), '/dynamic_update.php?a=%')
    const token = `dy${'a2'.repeat(15)}`
    assert.equal(decodableTarget(`/nic/update/${token}/%h?a=1`), `/nic/update/${token}?a=1`)
    assert.equal(decodableTarget(`/nic/update/${token}%i`), `/nic/update/${token}`)
    assert.isNull(decodableTarget('/api/v2/%h?x=/nic/update'))
  })
})
