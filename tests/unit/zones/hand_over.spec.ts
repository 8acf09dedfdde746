import { test } from '@japa/runner'
import { lostOwners as lost, type RetainedOwners, type NewOwner } from '#zones/ownership/transfer'

const zone = {
  id: 1,
  name: 'example.com',
  kind: 'MASTER',
  ownership: { users: new Set([1, 2]), groups: new Set([1, 3]) },
}

test.group('Owners that a zone loses to a new owner', () => {
  for (const [kind, id, keeps, users, groups] of [
    ['user', 9, 'groups', [1, 2], []],
    ['user', 1, 'groups', [2], []],
    ['group', 9, 'groups', [1, 2], []],
    ['group', 3, 'groups', [1, 2], []],
    ['user', 9, 'all', [], []],
    ['group', 9, 'all', [], []],
    ['user', 9, 'none', [1, 2], [1, 3]],
    ['user', 1, 'none', [2], [1, 3]],
    ['group', 1, 'none', [1, 2], [3]],
  ] as [NewOwner['kind'], number, RetainedOwners, number[], number[]][]) {
    test(`${kind} ${id}, ${keeps}: users ${users.join()}, groups ${groups.join()}`, ({
      assert,
    }) => {
      assert.deepEqual(lost(zone, { kind, id, retainedOwners: keeps }), { users, groups })
    })
  }
})
