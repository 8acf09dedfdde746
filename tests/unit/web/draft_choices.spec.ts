import { test } from '@japa/runner'
import { resolved } from '#web/editor/draft_choices'
import type { Conflict, VersionRecord as SideRecord } from '#web/editor/draft_merge'
import type { ValidChange as SoundChange } from '#web/editor/zone_draft'

type Change = SoundChange

const APEX = 'example.test'
const ENTRY = 9

const side = (id: string | undefined, content: string, ttl = 300, comment = ''): SideRecord => ({
  ...(id === undefined ? {} : { id, tag: `tag-${id}` }),
  content,
  priority: 0,
  ttl,
  disabled: false,
  comment,
})

const shown = (content: string, ttl = 300) => {
  return { name: 'www', type: 'A', content, ttl, priority: null, disabled: false, comment: '' }
}

/** Returns a change of the record that was shown with the first content. */
const update = (id: string, was: string, more: Partial<Change>): Change => {
  return { key: id, action: 'update', id, tag: `old-${id}`, was: shown(was), since: 1, ...more }
}

const conflict = (
  more: Pick<Conflict, 'draftRecords' | 'currentRecords' | 'changes'>
): Conflict => ({
  name: `www.${APEX}`,
  type: 'A',
  relative: 'www',
  owner: 'www',
  base: [side('1', '192.0.2.1')],
  canMerge: true,
  ...more,
})

const briefly = (changes: Change[]) =>
  changes.map(({ action, id, tag, content, ttl, since }) => {
    return { action, id, tag, content, ttl, since }
  })

test.group('Conflicts between a draft and the current RRset', () => {
  const mine = [side(undefined, '192.0.2.2')]
  const theirs = [side('1', '192.0.2.3')]
  const changes = [update('1', '192.0.2.1', { content: '192.0.2.2' })]

  test('"theirs" leaves nothing of the draft', ({ assert }) => {
    assert.deepEqual(resolved(conflict({ mine, theirs, changes }), 'theirs', APEX, ENTRY), [])
  })

  test('"mine" changes the current record with its current state', ({ assert }) => {
    const draft = resolved(conflict({ mine, theirs, changes }), 'mine', APEX, ENTRY)
    assert.deepEqual(briefly(draft), [
      {
        action: 'update',
        id: '1',
        tag: 'tag-1',
        content: '192.0.2.2',
        ttl: 300,
        since: ENTRY,
      },
    ])
    assert.equal(draft[0].was?.content, '192.0.2.3')
  })

  test('"mine" keeps comments on their records, with any changes of the rows', ({ assert }) => {
    const base = [side('1', '192.0.2.1', 300, 'one'), side('2', '192.0.2.2', 300, 'two')]
    const draft = resolved(
      {
        ...conflict({
          draftRecords: [base[1], side(undefined, '192.0.2.9', 300, 'one')],
          currentRecords: [
            side('1', '192.0.2.11', 300, 'one'),
            side('2', '192.0.2.12', 300, 'two'),
          ],
          changes: [update('1', '192.0.2.1', { content: '192.0.2.9' })],
        }),
        base,
      },
      'mine',
      APEX,
      ENTRY
    )
    const rows = draft.map(({ id, content, comment }) => [id, content, comment])
    assert.sameDeepMembers(rows, [
      ['1', '192.0.2.9', undefined],
      ['2', '192.0.2.2', undefined],
    ])
    const [lone] = resolved(
      conflict({
        draftRecords: [side(undefined, '192.0.2.9', 300, 'one')],
        currentRecords: [side('3', '192.0.2.13', 300, 'three')],
        changes: [update('1', '192.0.2.1', { content: '192.0.2.9' })],
      }),
      'mine',
      APEX,
      ENTRY
    )
    assert.containsSubset(lone, { id: '3', content: '192.0.2.9', comment: 'one' })
    assert.equal(lone.was?.comment, 'three')
  })

  test('"mine" deletes added records, and creates deleted ones again', ({ assert }) => {
    const added = conflict({ mine, currentRecords: [...theirs, side('2', '192.0.2.4')], changes })
    assert.deepEqual(
      resolved(added, 'mine', APEX, ENTRY).map(({ action, id }) => [action, id]),
      [
        ['update', '1'],
        ['delete', '2'],
      ]
    )
    const [created, ...rest] = resolved(
      conflict({ mine, currentRecords: [], changes }),
      'mine',
      APEX,
      ENTRY
    )
    assert.containsSubset(created, {
      action: 'create',
      name: 'www',
      content: '192.0.2.2',
      ttl: 300,
    })
    assert.isUndefined(created.id)
    assert.isEmpty(rest)
  })

  test('"mine" with a different TTL only changes the TTL', ({ assert }) => {
    const retimed = conflict({
      draftRecords: [side(undefined, '192.0.2.3', 60)],
      theirs,
      changes: [update('1', '192.0.2.1', { ttl: 60 })],
    })
    const [change, ...rest] = resolved(retimed, 'mine', APEX, ENTRY)
    assert.containsSubset(change, { action: 'update', id: '1', ttl: 60 })
    assert.isUndefined(change.content)
    assert.isEmpty(rest)
  })

  test('"both" keeps theirs, and adds mine with their TTL', ({ assert }) => {
    const both = resolved(
      conflict({ mine, currentRecords: [side('1', '192.0.2.3', 120)], changes }),
      'both',
      APEX,
      ENTRY
    )
    assert.lengthOf(both, 1)
    assert.containsSubset(both[0], { action: 'create', name: 'www', content: '192.0.2.2' })
    assert.isUndefined(both[0].id)
  })

  test('"both" adds no existing record, and deletes none', ({ assert }) => {
    const same = [update('1', '192.0.2.1', { content: '192.0.2.3' })]
    assert.isEmpty(resolved(conflict({ mine, theirs, changes: same }), 'both', APEX, ENTRY))
    const deleted: Change[] = [{ ...changes[0], action: 'delete', content: undefined }]
    assert.isEmpty(
      resolved(conflict({ draftRecords: [], theirs, changes: deleted }), 'both', APEX, ENTRY)
    )
  })

  test('a record that the draft moves to another name is moved once', ({ assert }) => {
    const moved = [update('1', '192.0.2.1', { name: 'shop' })]
    const draft = resolved(
      conflict({ draftRecords: [], theirs, changes: moved }),
      'mine',
      APEX,
      ENTRY
    )
    assert.lengthOf(draft, 1)
    assert.containsSubset(draft[0], { action: 'update', id: '1', tag: 'tag-1', name: 'shop' })
    // The other user deleted the record. The choice creates it again.
    const [anew] = resolved(
      conflict({ draftRecords: [], currentRecords: [], changes: moved }),
      'mine',
      APEX,
      ENTRY
    )
    assert.containsSubset(anew, { action: 'create', name: 'shop', content: '192.0.2.1' })
    assert.isUndefined(anew.id)
  })

  test('"mine" replaces the comment of a remaining record', ({ assert }) => {
    const commented = [update('1', '192.0.2.1', { comment: 'mine' })]
    const sides = {
      draftRecords: [side('1', '192.0.2.1')],
      currentRecords: [side('1', '192.0.2.1', 60, 'theirs')],
    }
    const draft = resolved(conflict({ ...sides, changes: commented }), 'mine', APEX, ENTRY)
    assert.lengthOf(draft, 1)
    const was = { content: '192.0.2.1', comment: 'theirs' }
    assert.containsSubset(draft[0], { action: 'update', id: '1', ttl: 300, comment: 'mine', was })
  })

  test('a requested comment and PTR record are kept', ({ assert }) => {
    const commented = [
      update('1', '192.0.2.1', { content: '192.0.2.2', comment: 'web', ptr: true }),
    ]
    for (const choice of ['mine', 'both'] as const) {
      const [change] = resolved(conflict({ mine, theirs, changes: commented }), choice, APEX, ENTRY)
      assert.containsSubset(change, { comment: 'web', ptr: true })
    }
  })
})
