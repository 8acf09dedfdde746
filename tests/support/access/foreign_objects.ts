import type { ApiRequest } from '@japa/api-client'
import type { Prober } from '#tests/support/access/disclosure'
import type { Props } from '#tests/support/access/matrix_row'
import type { Caller } from '#tests/support/app/api'

/** Foreign objects that a request names beside the caller's own objects: existing ones or missing ones. */
export interface Named extends Props {
  username: string
  /** First octets of an address whose reverse zone belongs to the other tenant, or does not exist. */
  network: string
}

/** A request about the caller's own object that names a foreign object. */
export interface Pair {
  what: string
  roles: Prober['role'][]
  send: (as: Caller, own: Props, named: Named) => ApiRequest
}

const EDITORS: Pair['roles'] = ['client editor', 'group owner', 'zone manager']
const MANAGERS: Pair['roles'] = ['group owner', 'zone manager']
const EVERYBODY: Pair['roles'] = ['nobody', 'stranger', 'viewer', ...EDITORS]

const record = { name: 'pair', type: 'A', content: '192.0.2.9', ttl: 300 }

/**
 * Requests that name a foreign object in the query, in the body or below an own object. One case is excluded on purpose:
 * a caller who may change the owners of a zone names users by id, and learns which ids exist.
 */
export const PAIRS: Pair[] = [
  {
    what: 'a zone by name',
    roles: EVERYBODY,
    send: (as, _, it) => as.get(`/zones?name=${it.zoneName}`),
  },
  {
    what: 'a record in an own zone',
    roles: EVERYBODY,
    send: (as, own, it) => as.get(`/zones/${own.zoneId}/records/${it.recordId}`),
  },
  {
    what: 'a record to change in an own zone',
    roles: EDITORS,
    send: (as, own, it) =>
      as.put(`/zones/${own.zoneId}/records/${it.recordId}`, { content: '192.0.2.8' }),
  },
  {
    what: 'a record to delete in an own zone',
    roles: EDITORS,
    send: (as, own, it) => as.delete(`/zones/${own.zoneId}/records/${it.recordId}`),
  },
  {
    what: 'a record in bulk',
    roles: EDITORS,
    send: (as, own, it) =>
      as.post(`/zones/${own.zoneId}/records/bulk`, {
        operations: [{ action: 'delete', id: it.recordId }],
      }),
  },
  {
    what: 'a user in a history',
    roles: EVERYBODY,
    send: (as, own, it) => as.get(`/zones/${own.zoneId}/history?user=${it.username}`),
  },
  {
    what: 'a zone of a change set by name',
    roles: EVERYBODY,
    send: (as, _, it) =>
      as.post('/changes', {
        actions: [
          {
            op: 'add',
            name: it.zoneName,
            type: 'A',
            ttl: 300,
            records: [{ content: '192.0.2.9' }],
          },
        ],
      }),
  },
  {
    what: 'a zone of a change set by id',
    roles: EVERYBODY,
    send: (as, own, it) =>
      as.post('/changes', {
        actions: [
          {
            op: 'clear',
            name: `www.${own.zoneName}`,
            type: 'A',
            zone_id: it.zoneId,
          },
        ],
      }),
  },
  {
    what: 'an address with a reverse zone',
    roles: EDITORS,
    send: (as, own, it) =>
      as.post(`/zones/${own.zoneId}/records?dry_run=true`, {
        ...record,
        content: `${it.network}.7`,
        create_ptr: true,
      }),
  },
  {
    what: 'a zone of a key by id',
    roles: ['stranger', 'zone manager'],
    send: (as, _, it) => as.post('/api-keys', { name: 'pair', zones: [it.zoneId] }),
  },
  {
    what: 'a zone of a key by name',
    roles: ['stranger', 'zone manager', 'user administrator'],
    send: (as, _, it) => as.post('/api-keys', { name: 'pair', zones: [it.zoneName] }),
  },
  {
    what: 'the owner of a new key',
    roles: ['stranger', 'zone manager', 'user administrator'],
    send: (as, _, it) => as.post('/api-keys', { name: 'pair', user_id: it.userId }),
  },
  {
    what: 'the keys of a user',
    roles: [...EVERYBODY, 'user administrator'],
    send: (as, _, it) => as.get(`/api-keys?user_id=${it.userId}`),
  },
  {
    what: 'the owner of a new zone',
    roles: ['stranger', ...MANAGERS],
    send: (as, _, it) =>
      as.post('/zones', { name: 'pair.test', type: 'MASTER', owner_user_id: it.userId }),
  },
  {
    what: 'the group of a new zone',
    roles: ['stranger', ...MANAGERS],
    send: (as, _, it) =>
      as.post('/zones', { name: 'pair.test', type: 'MASTER', group_ids: [it.groupId] }),
  },
  {
    what: 'an owner to take away',
    roles: MANAGERS,
    send: (as, own, it) => as.delete(`/zones/${own.zoneId}/owners/${it.userId}`),
  },
  {
    what: 'a group of a new user',
    roles: ['user administrator', 'nobody'],
    send: (as, _, it) =>
      as.post('/users', { username: 'pair', password: 'Secret123', groups: [it.groupId] }),
  },
  {
    what: 'the heir of a user',
    roles: ['zone manager'],
    send: (as, own, it) => as.delete(`/users/${own.userId}`, { transfer_to_user_id: it.userId }),
  },
  {
    what: 'a user to explain',
    roles: EVERYBODY,
    send: (as, _, it) => as.get(`/explain?action=user.list&user_id=${it.userId}`),
  },
  {
    what: 'a key to explain',
    roles: [...EVERYBODY, 'user administrator'],
    send: (as, _, it) => as.get(`/explain?action=user.list&api_key_id=${it.keyId}`),
  },
  {
    what: 'a zone to explain to a user administrator',
    roles: ['user administrator'],
    send: (as, own, it) =>
      as.get(`/explain?action=zone.view&zone_id=${it.zoneId}&user_id=${own.userId}`),
  },
  {
    what: 'zone events of the audit log',
    roles: ['user administrator'],
    send: (as, _, it) => as.get(`/audit?object=zone:${it.zoneName}&user=${it.username}`),
  },
]
