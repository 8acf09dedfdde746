import type { ReferenceList } from '#tests/support/lists/reference'

/**
 * The rules of each list in the specification (Paging, sorting and filtering) and the additions of docs/reference/api.md. Written by
 * hand, including default orders: the tests compare the declarations of the application with this table.
 */
export const REFERENCE = {
  users: {
    sort: { id: 'number', username: 'caseless', fullname: 'caseless', email: 'caseless' },
    filters: { username: 'exact', email: 'exact' },
    lookup: ['username', 'email'],
    q: ['username', 'fullname', 'email', 'description'],
    order: [['id']],
    tie: ['id'],
  },
  groups: {
    sort: {
      id: 'number',
      name: 'natural',
      member_count: 'number',
      zone_count: 'number',
      created_at: 'plain',
    },
    q: ['name', 'description'],
    order: [['stored_name'], ['id']],
    tie: ['id'],
  },
  members: {
    sort: {
      user_id: 'number',
      username: 'natural',
      fullname: 'natural',
      email: 'natural',
      joined_at: 'plain',
    },
    q: ['username', 'fullname', 'email'],
    order: [
      ['joined_at', 'desc'],
      ['user_id', 'desc'],
    ],
    tie: ['user_id', 'desc'],
  },
  groupZones: {
    sort: { zone_id: 'number', zone_name: 'natural', zone_type: 'plain', created_at: 'plain' },
    q: ['zone_name'],
    names: ['zone_name'],
    order: [
      ['created_at', 'desc'],
      ['zone_id', 'desc'],
    ],
    tie: ['zone_id', 'desc'],
  },
  keys: {
    sort: {
      id: 'number',
      name: 'caseless',
      owner: 'caseless',
      created_at: 'plain',
      last_used_at: 'plain',
      expires_at: 'plain',
    },
    q: ['name', 'prefix', 'owner'],
    order: [['id']],
    tie: ['id'],
  },
  autoprimaries: {
    sort: { ip: 'natural', nameserver: 'natural', account: 'natural' },
    q: ['ip', 'nameserver', 'account'],
    names: ['nameserver'],
    order: [['ip'], ['nameserver'], ['place']],
    tie: ['place'],
  },
  changeRequests: {
    sort: {},
    filters: {
      status: ['pending', 'approved', 'rejected', 'cancelled', 'failed', 'all'],
      zone_id: 'exact',
    },
    absent: { status: 'pending' },
    everything: { status: 'all' },
    q: [],
    order: [['id', 'desc']],
    tie: ['id', 'desc'],
  },
  clients: {
    sort: {
      hostname: 'caseless',
      last_seen_at: 'plain',
      last_change_at: 'plain',
      last_code: 'caseless',
      requests: 'number',
      changes: 'number',
    },
    filters: { hostname: 'caseless', last_code: 'exact' },
    q: ['hostname', 'zone_name'],
    names: ['hostname', 'zone_name'],
    order: [['last_seen_at', 'desc'], ['id']],
    tie: ['id'],
  },
  trash: {
    sort: {},
    q: [],
    order: [['id', 'desc']],
    tie: ['id', 'desc'],
  },
  permissions: {
    sort: { id: 'number', name: 'natural' },
    q: ['name', 'description'],
    order: [['stored_name'], ['id']],
    tie: ['id'],
  },
  templates: {
    sort: { id: 'number', name: 'natural', template_type: 'natural' },
    filters: { type: ['user', 'group'] },
    q: ['name', 'description'],
    order: [['stored_name'], ['id']],
    tie: ['id'],
  },
  zoneTemplates: {
    sort: { id: 'number', name: 'natural', zones_linked: 'number' },
    q: ['name', 'description'],
    order: [['stored_name'], ['id']],
    tie: ['id'],
  },
  templateRecords: {
    sort: {
      name: 'natural',
      type: 'natural',
      content: 'natural',
      ttl: 'number',
      priority: 'number',
    },
    filters: { type: 'caseless', name: 'contains', content: 'contains' },
    q: ['name', 'content'],
    names: ['name', 'content'],
    order: [['stored_name'], ['id']],
    tie: ['id'],
  },
  zones: {
    sort: { name: 'natural', type: 'plain', id: 'number' },
    filters: { name: 'exact', tree: ['forward', 'ipv4', 'ipv6'] },
    q: ['name'],
    names: ['name'],
    // Order of the database: `place` is the position in the database's order of names.
    order: [['place'], ['id']],
    tie: ['id'],
  },
  records: {
    sort: {
      name: 'natural',
      type: 'natural',
      content: 'natural',
      ttl: 'number',
      priority: 'number',
    },
    filters: { type: 'caseless', name: 'contains', content: 'contains' },
    q: ['name', 'content'],
    names: ['name', 'content'],
    // By type, then name, in the order of the database (`place`). The order of ties is unspecified.
    order: [['place']],
    tie: null,
  },
  rrsets: {
    sort: { name: 'natural', type: 'natural', ttl: 'number' },
    filters: { type: 'caseless', name: 'contains', content: 'contains' },
    q: ['name', 'content'],
    names: ['name', 'content'],
    // By type, then name, in the order of the database (`place`). The order of ties is unspecified.
    order: [['place']],
    tie: null,
  },
} satisfies Record<string, ReferenceList>
