import { test } from '@japa/runner'
import {
  joinedCommentChanges,
  reversedCommentChanges,
  withCommentChanges,
} from '#dns/record_comments'
import type { CommentChange, RRset } from '#dns/types'

const commentText = (inline: string | null) => (inline === null ? null : { above: [], inline })
const step = (content: string, before: string | null, after: string | null): CommentChange => ({
  content,
  priority: 0,
  before: commentText(before),
  after: commentText(after),
})

test.group('Changes of record comments', () => {
  test('consecutive changes are merged to the first old and the last new comment', ({ assert }) => {
    const first = [step('a', null, 'one'), step('b', 'x', 'y')]
    const second = [step('a', 'one', 'two'), step('c', 'z', null)]
    assert.sameDeepMembers(joinedCommentChanges('A', first, second)!, [
      step('a', null, 'two'),
      step('b', 'x', 'y'),
      step('c', 'z', null),
    ])
  })

  test('changes and their reversal cancel out', ({ assert }) => {
    const changes = [step('a', null, 'one'), step('b', 'x', null)]
    assert.isUndefined(joinedCommentChanges('A', changes, reversedCommentChanges(changes)))
    assert.deepEqual(joinedCommentChanges('A', changes, undefined), changes)
    assert.isUndefined(joinedCommentChanges('A', undefined, undefined))
  })

  test('changes belong to the change of their RRset, or create one; none without an RRset', ({
    assert,
  }) => {
    const set = (name: string): RRset => ({
      name,
      type: 'A',
      ttl: 60,
      records: [{ content: 'a', priority: 0, disabled: false }],
    })
    const created = { name: 'b.test', type: 'A', before: null, after: set('b.test') }
    const changed = ['c.test', 'b.test', 'a.test'].map((name) => ({
      name,
      type: 'A',
      comments: [step('a', null, 'one')],
    }))
    const [a, b] = [set('a.test'), set('b.test')]
    assert.deepEqual(withCommentChanges([created], changed, [a, b]), [
      { name: 'a.test', type: 'A', before: a, after: a, comments: changed[2].comments },
      { ...created, comments: changed[1].comments },
    ])
  })
})
