/**
 * What a restricted API key could gain by a route, beyond its restrictions. Every route that writes has an entry.
 *
 * `nothing`: the route writes only data that the restrictions cover: zones, records, requests, logs.
 * `refused`: the route changes credentials, rights or the owners of a zone, or sends data elsewhere. The restrictions refuse
 * it.
 * `members`: the result depends on the members of the body or on the kind, which the tables below list.
 * `within`: the route grants access that is not wider than the key.
 */
export type Widening = 'nothing' | 'refused' | 'members' | 'within'

export const WIDENING: Record<string, Widening> = {
  'POST /api/v2/zones': 'members',
  'POST /api/v2/users': 'refused',
  'PUT /api/v2/users/:id': 'members',
  'PATCH /api/v2/users/:id': 'refused',
  'DELETE /api/v2/users/:id': 'nothing',
  'POST /api/v2/users/:id/unlock': 'refused',
  'POST /api/v2/groups': 'refused',
  'PUT /api/v2/groups/:id': 'refused',
  'DELETE /api/v2/groups/:id': 'nothing',
  'POST /api/v2/groups/:id/members': 'refused',
  'DELETE /api/v2/groups/:id/members/:userId': 'refused',
  'POST /api/v2/groups/:id/zones': 'refused',
  'DELETE /api/v2/groups/:id/zones/:zoneId': 'nothing',
  'POST /api/v2/permission-templates': 'nothing',
  'PUT /api/v2/permission-templates/:id': 'refused',
  'DELETE /api/v2/permission-templates/:id': 'nothing',
  'POST /api/v2/api-keys': 'within',
  'PUT /api/v2/api-keys/:id': 'within',
  'DELETE /api/v2/api-keys/:id': 'nothing',
  'POST /api/v2/api-keys/:id/regenerate': 'within',
  'POST /api/v2/api-keys/:id/enable': 'within',
  'POST /api/v2/api-keys/:id/disable': 'nothing',
  'POST /api/v2/dynamic-dns/tokens': 'within',
  'DELETE /api/v2/dynamic-dns/tokens/:id': 'nothing',
  'POST /api/v2/webhooks': 'refused',
  'PUT /api/v2/webhooks/:id': 'refused',
  'DELETE /api/v2/webhooks/:id': 'refused',
  'DELETE /api/v2/change-requests/:id': 'nothing',
  'DELETE /api/v2/trash/:id': 'nothing',
  'DELETE /api/v2/zone-templates/:id': 'nothing',
  'DELETE /api/v2/zone-templates/:id/records/:templateRecordId': 'nothing',
  'DELETE /api/v2/zones/:id': 'nothing',
  'DELETE /api/v2/zones/:id/metadata/:kind': 'members',
  'DELETE /api/v2/zones/:id/owners/:userId': 'nothing',
  'DELETE /api/v2/zones/:id/records/:recordId': 'nothing',
  'DELETE /api/v2/zones/:id/rrsets/:name/:type': 'nothing',
  'POST /api/v2/change-requests/:id/approve': 'nothing',
  'POST /api/v2/change-requests/:id/comments': 'nothing',
  'POST /api/v2/change-requests/:id/rebase': 'nothing',
  'POST /api/v2/change-requests/:id/reject': 'nothing',
  'POST /api/v2/changes': 'nothing',
  'POST /api/v2/dynamic-dns': 'nothing',
  'POST /api/v2/jobs/:job/run': 'nothing',
  'POST /api/v2/trash/:id/restore': 'nothing',
  'POST /api/v2/zone-templates': 'nothing',
  'POST /api/v2/zone-templates/:id/records': 'nothing',
  'POST /api/v2/zones/:id/change-requests': 'nothing',
  'POST /api/v2/zones/:id/history/:entry/undo': 'nothing',
  'POST /api/v2/zones/:id/import': 'nothing',
  'POST /api/v2/zones/:id/owners': 'refused',
  'POST /api/v2/zones/:id/records': 'nothing',
  'POST /api/v2/zones/:id/records/bulk': 'nothing',
  'POST /api/v2/zones/:id/restore': 'nothing',
  'POST /api/v2/zones/:id/save-template': 'nothing',
  'PUT /api/v2/zone-templates/:id': 'nothing',
  'PUT /api/v2/zone-templates/:id/records/:templateRecordId': 'nothing',
  'PUT /api/v2/zones/:id': 'members',
  'PUT /api/v2/zones/:id/metadata/:kind': 'members',
  'PUT /api/v2/zones/:id/records/:recordId': 'nothing',
  'POST /api/v2/webhooks/:id/deliveries/:delivery/replay': 'refused',
  'POST /api/v2/webhooks/:id/secret': 'refused',
  'POST /api/v2/webhooks/:id/test': 'refused',
  'DELETE /api/v2/autoprimaries/:ip/:nameserver': 'nothing',
  'POST /api/v2/autoprimaries': 'refused',
  'PUT /api/v2/autoprimaries/:ip/:nameserver': 'refused',
  'DELETE /api/v2/zones/:id/dnssec/keys/:keyId': 'nothing',
  'PATCH /api/v2/zones/:id/dnssec/keys/:keyId': 'nothing',
  'POST /api/v2/zones/:id/dnssec': 'nothing',
  'POST /api/v2/zones/:id/dnssec/keys': 'nothing',
  'POST /api/v2/zones/:id/dnssec/keys/import': 'refused',
  'POST /api/v2/zones/:id/dnssec/rectify': 'nothing',
  'POST /api/v2/zones/:id/flush': 'nothing',
  'POST /api/v2/zones/:id/notify': 'nothing',
  'POST /api/v2/zones/:id/retrieve': 'nothing',
  'PATCH /api/v2/zones/:id/rrsets': 'nothing',
  'POST /api/v2/zones/:id/rrsets': 'nothing',
  'PUT /api/v2/zones/:id/rrsets': 'nothing',
  'POST /api/v2/zone-templates/:id/sync': 'nothing',
  'POST /api/v2/zone-templates/:id/unlink': 'nothing',
  'POST /api/v2/zones/:id/clone': 'members',
}

/** Members of a user that change credentials or rights. */
export const ACCESS_MEMBERS: Record<string, unknown> = {
  password: 'A-long-new-password-1',
  email: 'elsewhere@example.net',
  username: 'renamed',
  active: false,
  perm_templ: 4,
}

/** A member of the body of a zone: a value, and whether it grants others access to the zone. */
export interface ZoneMember {
  value: unknown
  gains: 'nothing' | 'refused'
  /** Further members that the value requires. */
  requires?: object
}

const plain = (value: unknown): ZoneMember => ({ value, gains: 'nothing' })

const NEW_ZONE_TERMS = {
  name: plain('a-name.test'),
  description: plain('a text'),
  dry_run: plain(true),
  reason: plain('a reason'),
  // The administrator, who is not the user of the key.
  owner_user_id: { value: 1, gains: 'refused' },
  group_ids: { value: [1], gains: 'refused' },
} satisfies Record<string, ZoneMember>

/** Members of the bodies that create or change a zone, by route. Each member has an entry. */
export const ZONE_MEMBERS: Record<string, Record<string, ZoneMember>> = {
  'POST /zones': {
    ...NEW_ZONE_TERMS,
    type: { value: 'SLAVE', gains: 'refused', requires: { master: '192.0.2.53' } },
    // Ignored unless the zone is a secondary zone.
    master: plain('192.0.2.53'),
    masters: plain(['192.0.2.53']),
    account: plain('label'),
    soa_edit_api: plain('INCREASE'),
    enable_dnssec: plain(false),
    template: plain(''),
  },
  'POST /zones/:id/clone': NEW_ZONE_TERMS,
  'PUT /zones/:id': {
    // Allowed for keys without zones. A key for certain zones is refused.
    name: plain('another-name.test'),
    type: { value: 'SLAVE', gains: 'refused', requires: { master: '192.0.2.53' } },
    master: plain('192.0.2.53'),
    masters: plain(['192.0.2.53']),
    description: plain('a text'),
    account: plain('label'),
    dry_run: plain(true),
    reason: plain('a reason'),
  },
}

/** What a kind of metadata grants to others: nothing, read access, write access, or execution of code. */
export type KindWidening = 'nothing' | 'read' | 'write' | 'code'

/** Every kind that PowerDNS defines has an entry. */
export const METADATA_WIDENING: Record<string, KindWidening> = {
  'ALLOW-AXFR-FROM': 'read',
  'ALLOW-DNSUPDATE-FROM': 'write',
  'ALSO-NOTIFY': 'read',
  'API-RECTIFY': 'nothing',
  'AXFR-MASTER-TSIG': 'write',
  'AXFR-SOURCE': 'nothing',
  'CATALOG-HASH': 'nothing',
  'ENABLE-LUA-RECORDS': 'code',
  'FORWARD-DNSUPDATE': 'write',
  'GSS-ACCEPTOR-PRINCIPAL': 'write',
  'GSS-ALLOW-AXFR-PRINCIPAL': 'read',
  'IXFR': 'nothing',
  'LUA-AXFR-SCRIPT': 'code',
  'NOTIFY-DNSUPDATE': 'nothing',
  'NSEC3NARROW': 'nothing',
  'NSEC3PARAM': 'nothing',
  'PRESIGNED': 'nothing',
  'PUBLISH-CDNSKEY': 'nothing',
  'PUBLISH-CDS': 'nothing',
  'RFC1123-CONFORMANCE': 'nothing',
  'SIGNALING-ZONE': 'nothing',
  'SLAVE-RENOTIFY': 'nothing',
  'SOA-EDIT': 'nothing',
  'SOA-EDIT-API': 'nothing',
  'SOA-EDIT-DNSUPDATE': 'nothing',
  'TSIG-ALLOW-AXFR': 'read',
  'TSIG-ALLOW-DNSUPDATE': 'write',
}
