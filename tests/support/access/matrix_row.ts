import type { KeyOperation } from '#access/actor'
import { ACCOUNT_ROWS } from '#tests/support/access/matrix_rows/account_rows'
import { CLONE_ROWS } from '#tests/support/access/matrix_rows/clone_rows'
import type { Role } from '#tests/support/access/users'
import { DYNDNS_ROWS } from '#tests/support/access/matrix_rows/dyndns_rows'
import { DNSSEC_ROWS } from '#tests/support/access/matrix_rows/dnssec_rows'
import { KEY_ROWS } from '#tests/support/access/matrix_rows/key_rows'
import { SERVER_ROWS } from '#tests/support/access/matrix_rows/server_rows'
import { ZONE_TEMPLATE_ROWS } from '#tests/support/access/matrix_rows/zone_template_rows'
import { METADATA_ROWS } from '#tests/support/access/matrix_rows/metadata_rows'
import { REVIEW_ROWS } from '#tests/support/access/matrix_rows/review_rows'
import { SERVICE_ROWS } from '#tests/support/access/matrix_rows/service_rows'

/** Objects that the addresses of the table refer to. */
export interface Props {
  zoneId: number
  zoneName: string
  recordId: number
  /** A zone in the trash, with the same owners as the zone. */
  trashId: number
  /** A change request of the zone, created by another user. */
  requestId: number
  /** A user without any right: the caller 'nobody'. */
  userId: number
  /** The group of the 'group owner'. The group owns the zone. */
  groupId: number
  /** A global zone template with a record. */
  templateId: number
  templateRecordId: number
  /** An unrestricted key of the administrator. */
  keyId: number
}

/** One request to a route, and the callers who may make it. */
export interface Row {
  /** Method and pattern as in the route table. */
  route: string
  /** Subject of the row, for a route with several rows. */
  about?: string
  path: (props: Props) => string
  body?: (props: Props) => object
  headers?: Record<string, string>
  /** Roles that may make the request. Default: all roles. */
  who?: readonly Role[]
  /** Roles that cannot see the object: 404, as for a missing object. */
  hiddenFrom?: readonly Role[]
  /** Operations that the key must allow. Default: derived from the method. */
  operations?: KeyOperation[]
  /** Additional operations that follow from the change. */
  also?: KeyOperation[]
  /** The operations follow from the change. They are checked after the object and the role. */
  isDerived?: boolean
  /**
   * Result for keys of single zones that do not reach the zone: `scoped` 403, `found` 404, `owned` 403 where the zone is
   * visible.
   * `blind` and `refused`: 404 and 403 for every such key. `ignored`: same result as without the restriction.
   */
  zones: 'scoped' | 'owned' | 'found' | 'blind' | 'refused' | 'ignored'
  /**
   * Result for keys of some RRsets: `any` as without the restriction; `matching` the same if they match `matrix` of the zone;
   * `refused` 403; `hidden` 404; `anyFor` unrestricted for one role. Default: such keys only read zones.
   */
  patterns?: 'any' | 'matching' | 'refused' | 'hidden' | { anyFor: Role }
  /** Keys with any restriction are refused, because the created or changed object would reach further. */
  isUnrestrictedOnly?: boolean
  /**
   * Grants others access to the zone, or leads out of the zones of a key. Keys with some operations, or for certain zones, are
   * refused, unless the object is hidden.
   */
  refusedTo?: readonly ('some operations' | 'some zones')[]
  /** The role is checked before the existence of the object. */
  isRoleFirst?: boolean
  /** Status for permitted callers: of the success, or of the error that ends a harmless request. */
  allowed: number
}

const ZONE_BLIND: Role[] = ['nobody', 'stranger', 'user administrator']
const VIEWERS: Role[] = [
  'viewer',
  'client editor',
  'editor',
  'group owner',
  'zone manager',
  'administrator',
]
const LOG_READERS: Role[] = VIEWERS.filter((role) => role !== 'editor')
const EDITORS: Role[] = VIEWERS.filter((role) => role !== 'viewer')
const FULL_EDITORS: Role[] = EDITORS.filter((role) => role !== 'client editor')
const MANAGERS: Role[] = ['group owner', 'zone manager', 'administrator']
const CREATORS: Role[] = ['stranger', ...MANAGERS]
const ADMINISTRATORS: Role[] = ['administrator']
const USER_ADMINISTRATORS: Role[] = ['user administrator', 'administrator']
const USER_LOG_READERS: Role[] = ['user administrator', 'administrator']

/** An entity tag that no object has. A write with it fails with 412 after all permission checks. */
const STALE = { 'if-match': '"nobody-has-this-tag"' }

/** Builds a request about the zone. Callers without any right on the zone do not see the zone. */
function onZone(row: Omit<Row, 'zones' | 'hiddenFrom'> & Partial<Row>): Row {
  return { zones: 'scoped', hiddenFrom: ZONE_BLIND, ...row }
}

/** Every route of the API. A route without a row fails the suite. */
export const TABLE: Row[] = [
  ...ACCOUNT_ROWS,
  ...KEY_ROWS,
  ...CLONE_ROWS,
  ...METADATA_ROWS,
  ...DNSSEC_ROWS,
  ...DYNDNS_ROWS,
  ...ZONE_TEMPLATE_ROWS,
  ...REVIEW_ROWS,
  ...SERVICE_ROWS,
  {
    route: 'GET /api/v2/zones',
    path: () => '/zones',
    zones: 'ignored',
    patterns: 'any',
    allowed: 200,
  },
  {
    route: 'GET /api/v2/search',
    path: ({ zoneName }) => `/search?q=${zoneName}`,
    zones: 'ignored',
    patterns: 'any',
    allowed: 200,
  },
  {
    route: 'POST /api/v2/zones',
    path: () => '/zones',
    body: ({ zoneName }) => ({ name: `matrix-${zoneName}`, type: 'MASTER', dry_run: true }),
    who: CREATORS,
    zones: 'refused',
    allowed: 200,
  },
  onZone({
    route: 'GET /api/v2/zones/:id',
    path: (p) => `/zones/${p.zoneId}`,
    who: VIEWERS,
    allowed: 200,
  }),
  onZone({
    route: 'PUT /api/v2/zones/:id',
    about: 'description',
    path: (p) => `/zones/${p.zoneId}`,
    body: () => ({ description: 'matrix' }),
    headers: STALE,
    who: EDITORS,
    allowed: 412,
  }),
  onZone({
    route: 'PUT /api/v2/zones/:id',
    about: 'name',
    path: (p) => `/zones/${p.zoneId}`,
    body: (p) => ({ name: `renamed-${p.zoneName}` }),
    refusedTo: ['some zones'],
    headers: STALE,
    who: MANAGERS,
    allowed: 412,
  }),
  onZone({
    route: 'DELETE /api/v2/zones/:id',
    path: (p) => `/zones/${p.zoneId}`,
    headers: STALE,
    who: MANAGERS,
    allowed: 412,
  }),
  onZone({
    route: 'GET /api/v2/zones/:id/records',
    path: (p) => `/zones/${p.zoneId}/records`,
    who: VIEWERS,
    allowed: 200,
  }),
  onZone({
    patterns: 'matching',
    route: 'POST /api/v2/zones/:id/records',
    path: (p) => `/zones/${p.zoneId}/records`,
    body: () => ({ name: 'matrix', type: 'A', content: '192.0.2.99', ttl: 300 }),
    headers: STALE,
    who: EDITORS,
    allowed: 412,
  }),
  onZone({
    route: 'POST /api/v2/zones/:id/records',
    about: 'NS below the apex',
    path: (p) => `/zones/${p.zoneId}/records?dry_run=true`,
    body: () => ({ name: 'matrix', type: 'NS', content: 'ns1.elsewhere.test', ttl: 300 }),
    operations: ['create', 'view'],
    who: FULL_EDITORS,
    allowed: 200,
  }),
  onZone({
    route: 'GET /api/v2/zones/:id/records/:recordId',
    path: (p) => `/zones/${p.zoneId}/records/${p.recordId}`,
    who: VIEWERS,
    allowed: 200,
  }),
  onZone({
    route: 'PUT /api/v2/zones/:id/records/:recordId',
    path: (p) => `/zones/${p.zoneId}/records/${p.recordId}`,
    body: () => ({ content: '192.0.2.98' }),
    headers: STALE,
    who: EDITORS,
    allowed: 412,
  }),
  onZone({
    route: 'DELETE /api/v2/zones/:id/records/:recordId',
    path: (p) => `/zones/${p.zoneId}/records/${p.recordId}`,
    headers: STALE,
    who: EDITORS,
    allowed: 412,
  }),
  onZone({
    route: 'GET /api/v2/zones/:id/rrsets',
    path: (p) => `/zones/${p.zoneId}/rrsets`,
    who: VIEWERS,
    allowed: 200,
  }),
  onZone({
    route: 'GET /api/v2/zones/:id/rrsets/:name/:type',
    path: (p) => `/zones/${p.zoneId}/rrsets/www/A`,
    who: VIEWERS,
    allowed: 200,
  }),
  ...(['PUT', 'POST', 'PATCH'] as const).map((method) =>
    onZone({
      route: `${method} /api/v2/zones/:id/rrsets`,
      path: (p) => `/zones/${p.zoneId}/rrsets`,
      body: () => ({ name: 'www', type: 'A', ttl: 300, records: [{ content: '192.0.2.97' }] }),
      headers: STALE,
      operations: ['create', 'update'],
      who: EDITORS,
      allowed: 412,
    })
  ),
  onZone({
    route: 'DELETE /api/v2/zones/:id/rrsets/:name/:type',
    path: (p) => `/zones/${p.zoneId}/rrsets/www/A`,
    headers: STALE,
    who: EDITORS,
    allowed: 412,
  }),
  onZone({
    patterns: 'matching',
    route: 'POST /api/v2/zones/:id/records/bulk',
    path: (p) => `/zones/${p.zoneId}/records/bulk?dry_run=true`,
    body: () => ({
      operations: [
        { action: 'create', name: 'matrix', type: 'A', content: '192.0.2.99', ttl: 300 },
      ],
    }),
    operations: ['create', 'view'],
    isDerived: true,
    who: EDITORS,
    allowed: 200,
  }),
  onZone({
    patterns: 'matching',
    route: 'POST /api/v2/changes',
    path: () => '/changes?dry_run=true',
    body: ({ zoneName }) => ({
      actions: [
        {
          op: 'add',
          name: `matrix.${zoneName}`,
          type: 'A',
          ttl: 300,
          records: [{ content: '192.0.2.99' }],
        },
      ],
    }),
    zones: 'found',
    operations: ['create', 'view'],
    isDerived: true,
    who: EDITORS,
    allowed: 200,
  }),
  onZone({
    route: 'GET /api/v2/zones/:id/history',
    path: (p) => `/zones/${p.zoneId}/history`,
    who: LOG_READERS,
    allowed: 200,
  }),
  onZone({
    route: 'GET /api/v2/zones/:id/history/:entry',
    path: (p) => `/zones/${p.zoneId}/history/1`,
    who: LOG_READERS,
    allowed: 200,
  }),
  onZone({
    route: 'GET /api/v2/zones/:id/at',
    path: (p) => `/zones/${p.zoneId}/at?entry=1`,
    who: LOG_READERS,
    allowed: 200,
  }),
  onZone({
    route: 'GET /api/v2/zones/:id/diff',
    path: (p) => `/zones/${p.zoneId}/diff?from=1`,
    who: LOG_READERS,
    allowed: 200,
  }),
  onZone({
    route: 'GET /api/v2/zones/:id/export',
    path: (p) => `/zones/${p.zoneId}/export`,
    who: VIEWERS,
    allowed: 200,
  }),
  onZone({
    patterns: 'matching',
    route: 'POST /api/v2/zones/:id/import',
    path: (p) => `/zones/${p.zoneId}/import?dry_run=true`,
    body: () => ({ zone_file: 'matrix 300 IN A 192.0.2.99\n', mode: 'merge' }),
    operations: ['create', 'view'],
    isDerived: true,
    who: EDITORS,
    allowed: 200,
  }),
  onZone({
    route: 'POST /api/v2/zones/:id/history/:entry/undo',
    path: (p) => `/zones/${p.zoneId}/history/2/undo?dry_run=true`,
    body: () => ({}),
    operations: ['delete', 'view'],
    isDerived: true,
    who: LOG_READERS.filter((role) => EDITORS.includes(role)),
    allowed: 200,
  }),
  onZone({
    route: 'POST /api/v2/zones/:id/restore',
    path: (p) => `/zones/${p.zoneId}/restore?dry_run=true`,
    body: () => ({ entry: 1, name: 'www', type: 'A' }),
    operations: ['delete', 'view'],
    isDerived: true,
    who: LOG_READERS.filter((role) => EDITORS.includes(role)),
    allowed: 200,
  }),
  {
    route: 'GET /api/v2/audit',
    path: () => '/audit',
    who: USER_LOG_READERS,
    zones: 'refused',
    allowed: 200,
  },
  ...SERVER_ROWS,
  {
    route: 'GET /api/v2/server/status',
    path: () => '/server/status',
    who: ADMINISTRATORS,
    zones: 'refused',
    allowed: 501,
  },
  {
    route: 'GET /api/v2/trash',
    path: () => '/trash',
    zones: 'ignored',
    patterns: 'any',
    allowed: 200,
  },
  {
    route: 'POST /api/v2/trash/:id/restore',
    path: (p) => `/trash/${p.trashId}/restore?dry_run=true`,
    body: () => ({}),
    operations: ['create', 'view'],
    who: MANAGERS,
    hiddenFrom: ZONE_BLIND,
    zones: 'blind',
    allowed: 200,
  },
  {
    route: 'DELETE /api/v2/trash/:id',
    path: (p) => `/trash/${p.trashId}?dry_run=true`,
    who: ADMINISTRATORS,
    isRoleFirst: true,
    zones: 'blind',
    allowed: 200,
  },
  {
    route: 'GET /api/v2/users',
    path: () => '/users',
    who: USER_ADMINISTRATORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'POST /api/v2/users',
    isUnrestrictedOnly: true,
    path: () => '/users?dry_run=true',
    body: () => ({ username: 'matrix', password: 'Secret123', perm_templ: 4 }),
    who: USER_ADMINISTRATORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'POST /api/v2/users',
    about: 'groups',
    isUnrestrictedOnly: true,
    path: () => '/users?dry_run=true',
    body: () => ({ username: 'matrix', password: 'Secret123', groups: [4] }),
    who: ADMINISTRATORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'GET /api/v2/users/:id',
    path: (p) => `/users/${p.userId}`,
    patterns: { anyFor: 'nobody' },
    who: ['nobody', ...USER_ADMINISTRATORS],
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'PUT /api/v2/users/:id',
    path: (p) => `/users/${p.userId}?dry_run=true`,
    body: () => ({ fullname: 'matrix' }),
    who: USER_ADMINISTRATORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'PATCH /api/v2/users/:id',
    isUnrestrictedOnly: true,
    path: (p) => `/users/${p.userId}?dry_run=true`,
    body: () => ({ perm_templ: 4 }),
    who: USER_ADMINISTRATORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'PATCH /api/v2/users/:id',
    about: 'a template for administrators',
    isUnrestrictedOnly: true,
    path: (p) => `/users/${p.userId}?dry_run=true`,
    body: () => ({ perm_templ: 1 }),
    who: ADMINISTRATORS,
    zones: 'ignored',
    allowed: 200,
  },
]
