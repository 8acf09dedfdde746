import { createHash } from 'node:crypto'
import { test } from '@japa/runner'
import {
  GENESIS_POINT as GENESIS,
  isCanonicalDetail,
  isSigned,
  linkHash,
  signEnds,
} from '#audit/chain'
import type { StoredEvent } from '#audit/entry'

const EVENT: StoredEvent = {
  id: '7',
  time: '2026-11-21T12:00:00.000Z',
  user_id: 3,
  username: 'carol',
  api_key_id: null,
  address: '192.0.2.1',
  channel: 'api',
  action: 'zone.created',
  object_kind: 'zone',
  object_id: 5,
  object_name: 'example.com',
  outcome: 'success',
  detail: '{"entry":1}',
}

const OTHER: { [Column in keyof StoredEvent]: StoredEvent[Column] } = {
  id: 8,
  time: '2026-11-21T12:00:00.001Z',
  user_id: null,
  username: null,
  api_key_id: 1,
  address: null,
  channel: 'cli',
  action: 'zone.changed',
  object_kind: null,
  object_id: null,
  object_name: null,
  outcome: 'denied',
  detail: '{"entry":2}',
}

const HASH = 'a'.repeat(64)

test.group('The chain of the audit log', () => {
  test('anyone can compute a hash from the documentation', ({ assert }) => {
    const documented =
      '{"action":"zone.created","actor":{"address":"192.0.2.1","api_key_id":null,"channel":"api",' +
      '"user_id":3,"username":"carol"},"detail":{"entry":1},"id":7,"object":{"id":5,"kind":"zone",' +
      '"name":"example.com"},"outcome":"success","time":"2026-11-21T12:00:00.000Z"}'
    const hash = createHash('sha256').update(`${GENESIS.hash}\n${documented}`).digest('hex')
    assert.equal(linkHash(GENESIS.hash, EVENT), hash)
  })

  test('the hash of an event covers every column and the previous hash', ({ assert }) => {
    const hash = linkHash(HASH, EVENT)
    for (const [column, value] of Object.entries(OTHER)) {
      assert.notEqual(linkHash(HASH, { ...EVENT, [column]: value }), hash, column)
    }
    assert.notEqual(linkHash(GENESIS.hash, EVENT), hash)
    assert.equal(linkHash(HASH, { ...EVENT, id: 7 }), hash)
  })

  test('a detail with equal meaning and another spelling has another hash', ({ assert }) => {
    assert.isTrue(isCanonicalDetail(EVENT))
    for (const detail of ['{"entry": 1}', '{"entry":2,"entry":1}', '{"entry":1', '']) {
      assert.isFalse(isCanonicalDetail({ detail }), detail)
    }
  })

  test('a signature covers both chain ends and nothing else', ({ assert }) => {
    const point = (position: number, hash = HASH) => ({ position, hash })
    const ends = { head: point(4), anchor: point(2) }
    const mac = signEnds(ends)
    assert.isTrue(isSigned(ends, mac))
    for (const other of [
      { ...ends, head: point(3) },
      { ...ends, head: point(4, 'b'.repeat(64)) },
      { ...ends, anchor: point(1) },
      { ...ends, anchor: point(2, 'b'.repeat(64)) },
    ]) {
      assert.isFalse(isSigned(other, mac))
    }
    assert.isFalse(isSigned(ends, null))
    assert.isFalse(isSigned(ends, mac.slice(1)))
    assert.isTrue(isSigned({ head: GENESIS, anchor: GENESIS }, null))
  })
})
