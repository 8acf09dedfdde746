import type { Row } from '#tests/support/access/table'

/** Rows of the access matrix about dynamic DNS. */
export const DYNDNS_ROWS: Row[] = [
  {
    route: 'POST /api/v2/dynamic-dns',
    path: () => '/dynamic-dns',
    body: (p) => ({ hostname: `matrix.${p.zoneName}`, ipv4: '192.0.2.77', dry_run: true }),
    who: ['client editor', 'editor', 'group owner', 'zone manager', 'administrator'],
    hiddenFrom: ['stranger'],
    operations: ['create', 'update', 'view'],
    zones: 'scoped',
    patterns: 'matching',
    allowed: 200,
  },
]
