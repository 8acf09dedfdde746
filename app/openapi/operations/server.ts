import { WRITE_BODY } from '#openapi/operations/write_body'
import type { Operation, Operations } from '#openapi/operation'
import {
  flag,
  list,
  mapOf,
  timestamp,
  named,
  object,
  orNull,
  text,
  wholeNumberSchema,
  word,
} from '#openapi/schema'
import { createAutoprimaryValidator, updateAutoprimaryValidator } from '#validators/autoprimary'
import {
  addKeyValidator,
  changeKeyValidator,
  importKeyValidator,
  signValidator,
} from '#validators/signing'
import { AUTOPRIMARY_LIST } from '#zones/autoprimaries'

const VIEW_RIGHTS =
  '`zone_content_view_own` for own zones, `zone_content_view_others` for all zones'
const SIGNING_RIGHTS = '`zone_dnssec_manage_own` for own zones'
const BACKEND = {
  501: 'No PowerDNS API is configured (settings `pdns_api.url` and `pdns_api.key`).',
  502: 'The PowerDNS server does not answer.',
}
const KEY_ERRORS = {
  ...BACKEND,
  409: 'The zone is presigned, or is a secondary or consumer zone.',
}

function aboutZone(summary: string, description: string): Operation {
  return {
    tag: 'Name server',
    summary,
    description,
    needs: 'the permission to edit the records or the settings of the zone',
    body: WRITE_BODY,
    answers: { 200: { type: 'null' } },
    refusals: BACKEND,
  }
}

/** DNSSEC, and the name server. */
export const SERVER_OPERATIONS: Operations = {
  'GET /zones/{id}/dnssec': {
    tag: 'DNSSEC',
    summary: 'Show the signing status of a zone',
    needs: VIEW_RIGHTS,
    answers: { 200: named('SigningStatus') },
    refusals: BACKEND,
  },
  'POST /zones/{id}/dnssec': {
    tag: 'DNSSEC',
    summary: 'Sign or unsign a zone',
    needs: SIGNING_RIGHTS,
    body: {
      validator: signValidator,
      example: { enabled: true },
      members: {
        algorithm:
          'Signs with one key of this algorithm, instead of the default keys of the server.',
      },
    },
    answers: { 200: named('SigningStatus') },
    refusals: KEY_ERRORS,
  },
  'POST /zones/{id}/dnssec/rectify': {
    tag: 'DNSSEC',
    summary: 'Rectify a signed zone',
    needs: SIGNING_RIGHTS,
    body: WRITE_BODY,
    answers: { 200: { type: 'null' } },
    refusals: KEY_ERRORS,
  },
  'GET /zones/{id}/dnssec/keys': {
    tag: 'DNSSEC',
    summary: 'List the DNSSEC keys of a zone',
    needs: VIEW_RIGHTS,
    answers: { 200: list(named('SigningKey')) },
    refusals: BACKEND,
  },
  'POST /zones/{id}/dnssec/keys': {
    tag: 'DNSSEC',
    summary: 'Create a DNSSEC key',
    needs: `${SIGNING_RIGHTS}, and the permission to view the zone`,
    body: {
      validator: addKeyValidator,
      example: { type: 'ksk', algorithm: 'ecdsa256', bits: 256, active: false },
    },
    answers: { 201: named('SigningKey') },
    refusals: KEY_ERRORS,
  },
  'POST /zones/{id}/dnssec/keys/import': {
    tag: 'DNSSEC',
    summary: 'Import a DNSSEC key',
    description:
      'The key is BIND private-key text. Zonewright sends it to the name server and does not store it.',
    needs: `${SIGNING_RIGHTS}, and the permission to view the zone`,
    body: {
      validator: importKeyValidator,
      example: { type: 'ksk', privatekey: 'Private-key-format: v1.2\nAlgorithm: 13 …' },
    },
    answers: { 201: named('SigningKey') },
    refusals: KEY_ERRORS,
  },
  'GET /zones/{id}/dnssec/keys/{keyId}': {
    tag: 'DNSSEC',
    summary: 'Show a DNSSEC key',
    needs: VIEW_RIGHTS,
    answers: { 200: named('SigningKey') },
    refusals: BACKEND,
  },
  'PATCH /zones/{id}/dnssec/keys/{keyId}': {
    tag: 'DNSSEC',
    summary: 'Activate or deactivate a DNSSEC key',
    needs: `${SIGNING_RIGHTS}, and the permission to view the zone`,
    body: { validator: changeKeyValidator, example: { active: true } },
    answers: { 200: named('SigningKey') },
    refusals: KEY_ERRORS,
  },
  'DELETE /zones/{id}/dnssec/keys/{keyId}': {
    tag: 'DNSSEC',
    summary: 'Delete a DNSSEC key',
    needs: `${SIGNING_RIGHTS}, and the permission to view the zone`,
    body: WRITE_BODY,
    answers: { 200: { type: 'null' } },
    refusals: KEY_ERRORS,
  },

  'POST /zones/{id}/notify': aboutZone(
    'Notify the secondaries of a zone',
    'The name server sends NOTIFY with the serial of the zone (RFC 1996).'
  ),
  'POST /zones/{id}/retrieve': aboutZone(
    'Transfer a zone from its primary',
    'For secondary and consumer zones (RFC 5936). For other zones, the answer is 400.'
  ),
  'POST /zones/{id}/flush': aboutZone(
    'Flush the caches of a zone',
    'The name server flushes its caches for the zone and reads the zone again.'
  ),

  'GET /server/status': {
    tag: 'Name server',
    summary: 'Show the status of the name server',
    needs: '`server_status_view`. `include=slaves` also needs `supermaster_view`',
    parameters: [
      {
        name: 'metrics',
        in: 'query',
        description: 'Only these metrics, separated by commas.',
        schema: { type: 'string' },
      },
      {
        name: 'include',
        in: 'query',
        description:
          '`slaves`: also tests connections to the autoprimaries. `calls`: adds the results of calls from the answering process to the name server, since its start.',
        schema: { type: 'string' },
      },
    ],
    answers: {
      200: object(
        {
          running: flag(true),
          server_id: text('localhost'),
          daemon_type: text('authoritative'),
          version: text('4.9.1'),
          uptime_seconds: wholeNumberSchema(86_400),
          metrics: mapOf({ type: 'string' }, { uptime: '86400' }),
        },
        {
          calls: list(
            object({
              name: text('GET /zones/{zone}', 'Method and path, without names.'),
              calls: wholeNumberSchema(120),
              failures: wholeNumberSchema(0),
              retries: wholeNumberSchema(0, 'Retries of reads.'),
              milliseconds: wholeNumberSchema(340, 'Total time of all calls.'),
            })
          ),
          slaves: list(
            object({
              ip: text('192.0.2.53'),
              status: word(['ok', 'unreachable', 'skipped']),
              last_checked: orNull(timestamp()),
              error: orNull(text('ECONNREFUSED')),
            })
          ),
        }
      ),
    },
    refusals: BACKEND,
    refusalData: { 503: object({ running: flag(false) }) },
  },

  'GET /autoprimaries': {
    tag: 'Name server',
    summary: 'List autoprimaries',
    needs: '`supermaster_view`',
    list: AUTOPRIMARY_LIST,
    answers: { 200: object({ autoprimaries: list(named('AutoprimaryItem')) }) },
    refusals: BACKEND,
  },
  'POST /autoprimaries': {
    tag: 'Name server',
    summary: 'Create an autoprimary',
    needs: '`supermaster_add`',
    body: {
      validator: createAutoprimaryValidator,
      example: { ip: '192.0.2.53', nameserver: 'ns1.example.net' },
    },
    answers: { 201: object({ autoprimary: named('Autoprimary') }) },
    refusals: { ...BACKEND, 409: 'The autoprimary exists.' },
  },
  'PUT /autoprimaries/{ip}/{nameserver}': {
    tag: 'Name server',
    summary: 'Edit an autoprimary',
    needs: '`supermaster_edit`',
    body: { validator: updateAutoprimaryValidator, example: { account: 'ops' } },
    answers: { 200: object({ autoprimary: named('Autoprimary') }) },
    refusals: BACKEND,
  },
  'DELETE /autoprimaries/{ip}/{nameserver}': {
    tag: 'Name server',
    summary: 'Delete an autoprimary',
    needs: '`supermaster_edit`',
    body: WRITE_BODY,
    answers: { 204: null },
    refusals: BACKEND,
  },
}
