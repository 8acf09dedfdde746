import { test } from '@japa/runner'
import { planHash, planParts } from '#changes/model/plan_hash'
import type { ZonePlan } from '#changes/model/zone_plan'
import type { CommentChange } from '#dns/types'

const commentOn = (content: string, inline: string): CommentChange => ({
  content,
  priority: 0,
  before: null,
  after: { above: [], inline },
})

async function hashOf(comments: CommentChange[]): Promise<string> {
  const record = { content: 'a', priority: 0, disabled: false }
  const set = { name: 'www.test', type: 'TXT', ttl: 300, records: [record] }
  const change = { name: set.name, type: set.type, before: null, after: set, comments }
  const plan = { zoneId: 1, zoneName: 'test', properties: null, changes: [change] }
  return planHash(await planParts([plan as unknown as ZonePlan]))
}

test.group('Plan hashes', () => {
  test('the hash does not depend on the order of comments, but on their content', async ({
    assert,
  }) => {
    const [one, two] = [commentOn('a', 'first'), commentOn('b', 'second')]
    assert.equal(await hashOf([one, two]), await hashOf([two, one]))
    assert.notEqual(await hashOf([one, two]), await hashOf([one]))
    assert.notEqual(await hashOf([one, two]), await hashOf([one, commentOn('b', 'other')]))
  })
})
