import { test } from '@japa/runner'
import { isGrave, keyEffects, type EffectiveKey, type KeyEffect } from '#dns/dnssec/key_effects'
import { keyTag } from '#dns/dnssec/key_roles'

let ids = 0

/** Returns a key with a unique tag. */
function key(more: Partial<EffectiveKey> = {}): EffectiveKey {
  ids += 1
  const { flags = 257, algorithm = 13 } = more
  const dnskey = `${flags} 3 ${algorithm} ${Buffer.from(`key ${ids}`).toString('base64')}`
  return { id: ids, flags, algorithm, active: true, dnskey, ...more }
}

const dsOf = ({ dnskey, algorithm }: EffectiveKey) => `${keyTag(dnskey)} ${algorithm} 2 00ff`

test.group('Effects of deleting or deactivating a DNSSEC key', () => {
  test('the last active key unsigns the zone, with any inactive keys', ({ assert }) => {
    const [last, idle] = [key(), key({ active: false })]
    assert.deepEqual(keyEffects(last, [last, idle], []), ['unsigns'])
    assert.deepEqual(keyEffects(last, [last, idle], null), ['unsigns', 'ds_unknown'])
    assert.deepEqual(keyEffects(last, [last, idle], [dsOf(last)]), ['unsigns', 'ds_named'])
  })

  test('the only active key signing key breaks the chain of trust', ({ assert }) => {
    const [ksk, zsk] = [key(), key({ flags: 256 })]
    assert.deepEqual(keyEffects(ksk, [ksk, zsk], []), ['no_entry_point'])
    assert.deepEqual(keyEffects(zsk, [ksk, zsk], []), ['takes_over'])
    const other = key()
    assert.deepEqual(keyEffects(ksk, [ksk, zsk, other], [dsOf(other)]), ['takes_over'])
    assert.deepEqual(keyEffects(ksk, [ksk, other], [dsOf(ksk), dsOf(other)]), ['ds_named'])
  })

  test('removing a key has no effect while an active key of another algorithm remains', ({
    assert,
  }) => {
    const [one, other] = [key(), key({ algorithm: 15 })]
    assert.deepEqual(keyEffects(one, [one, other], []), [])
  })

  test('an inactive key is unused, unless the parent has its DS', ({ assert }) => {
    const [active, idle] = [key(), key({ active: false })]
    assert.deepEqual(keyEffects(idle, [active, idle], []), ['unused'])
    assert.deepEqual(keyEffects(idle, [active, idle], [dsOf(idle)]), ['ds_named'])
    const wrongAlgorithm = dsOf(idle).replace(' 13 ', ' 8 ')
    assert.deepEqual(keyEffects(idle, [active, idle], [wrongAlgorithm]), ['unused'])
  })

  test('effects that stop resolution are grave', ({ assert }) => {
    const grave: KeyEffect[] = ['unsigns', 'no_entry_point', 'ds_named']
    const light: KeyEffect[] = ['ds_unknown', 'takes_over', 'unused']
    assert.isTrue(grave.every((effect) => isGrave([effect])))
    assert.isFalse(isGrave(light))
  })
})
