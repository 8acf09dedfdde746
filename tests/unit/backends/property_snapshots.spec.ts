import { test } from '@japa/runner'
import {
  changedMetadata,
  changedProperties,
  metadataSnapshot,
  propertiesSnapshot,
} from '#backends/sql/snapshots/property_snapshots'

const replicaOf = (masters: string[]) => {
  return { id: 1, name: 'example.test', kind: 'SLAVE' as const, masters, account: null }
}

test.group('Snapshots of zone properties', () => {
  test('the default port of a primary equals no port', ({ assert }) => {
    const snapshot = propertiesSnapshot(
      replicaOf(['192.0.2.1:53', '[2001:db8::1]:53', '192.0.2.2:5300'])
    )
    const properties = replicaOf(['192.0.2.1', '2001:db8::1', '192.0.2.2:5300'])
    assert.equal(snapshot, propertiesSnapshot(properties))
    assert.isNull(changedProperties(snapshot, properties))
    assert.deepEqual(changedProperties(snapshot, replicaOf(['192.0.2.1', '2001:db8::53'])), {
      before: { masters: properties.masters },
      after: { masters: ['192.0.2.1', '2001:db8::53'] },
    })
  })

  test('metadata of the name server itself are not part of the snapshot', ({ assert }) => {
    const snapshot = metadataSnapshot({ 'ALSO-NOTIFY': ['192.0.2.9'], 'CATALOG-HASH': ['a'] })
    assert.isNull(
      changedMetadata(snapshot, {
        'ALSO-NOTIFY': ['192.0.2.9'],
        'CATALOG-HASH': ['b'],
        'PRESIGNED': ['1'],
      })
    )
    assert.deepEqual(changedMetadata(snapshot, {}), {
      before: { 'ALSO-NOTIFY': ['192.0.2.9'] },
      after: { 'ALSO-NOTIFY': [] },
    })
  })
})
