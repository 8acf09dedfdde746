import { EXPLAINED_ACTIONS } from '#access/explain'
import { WRITE_BODY } from '#openapi/operations/write_body'
import type { Operations, Parameter } from '#openapi/operation'
import {
  oneOfSchemas,
  flag,
  list,
  named,
  nullSchema,
  object,
  orNull,
  text,
  wholeNumberSchema,
  word,
} from '#openapi/schema'
import { restoreValidator, undoValidator } from '#validators/history'
import { importValidator } from '#validators/zone'
import { TRASH_LIST } from '#zones/lifecycle/trash_list'

const VIEW_RIGHTS = '`zone_logs_view_own` or `_others`, and the permission to view the zone'
const EDIT_RIGHTS =
  '`zone_content_edit_own` for own zones, `zone_content_edit_others` for all zones'
const ZONE_FILE = '$ORIGIN alpha.example.\nwww 300 IN A 192.0.2.10\n'

function query(
  name: string,
  description: string,
  type: 'string' | 'integer' = 'string'
): Parameter {
  return { name, in: 'query', description, schema: { type } }
}

const PAGE = [
  query('page', 'Number of the page, from 1.', 'integer'),
  query('per_page', 'Number of rows on a page.', 'integer'),
]
const POINT_PARAMETERS = [
  query('entry', 'The version after this entry.', 'integer'),
  query('time', 'The version at this time (ISO 8601).'),
]
const TABLE = 'name,ttl,type,content,priority,disabled\r\nwww,300,A,192.0.2.10,,no\r\n'
const FORMAT = { 'text/dns': { example: ZONE_FILE }, 'text/csv': { example: TABLE } }
const change = {
  200: object({ change: named('Change') }),
  202: object({ change_request: named('ChangeRequest') }),
}

/** History, undo, restore, trash, and zone files. */
export const HISTORY_OPERATIONS: Operations = {
  'GET /zones/{id}/history': {
    tag: 'History',
    summary: 'List the history of a zone',
    description:
      'Lists the newest entry first. `include=changes` adds the RRsets before and after.',
    needs: VIEW_RIGHTS,
    isPaged: true,
    parameters: [
      ...PAGE,
      query(
        'cursor',
        'Value of `next_cursor` from the previous page. The list continues after that page.'
      ),
      query('include', '`changes`: adds the RRsets before and after.'),
      query('name', 'Only entries that changed this owner name.'),
      query('type', 'Only entries that changed this record type.'),
      query('user', 'Only entries of the user with this name.'),
      query('channel', 'Only entries of this channel: api, web, dyndns, cli, job or external.'),
      query(
        'action',
        'Only entries of this action. Changes to the whole zone: create, delete, rename, properties. Origins: undo, restore, request, template, import, bulk, clone.'
      ),
      query('since', 'Only entries from this time on (ISO 8601).'),
      query('until', 'Only entries up to this time (ISO 8601).'),
    ],
    answers: { 200: object({ entries: list(named('Entry')), next_cursor: orNull(text('16')) }) },
  },
  'GET /zones/{id}/history/{entry}': {
    tag: 'History',
    summary: 'Show a history entry',
    needs: VIEW_RIGHTS,
    answers: { 200: object({ entry: named('Entry') }) },
  },
  'GET /zones/{id}/at': {
    tag: 'History',
    summary: 'Show an earlier version of a zone',
    description: 'Returns JSON, or a zone file with `Accept: text/dns`.',
    needs: VIEW_RIGHTS,
    parameters: POINT_PARAMETERS,
    answers: { 200: object({ zone: named('ZoneThen'), rrsets: list(named('RRsetItem')) }) },
    otherAnswers: { 200: FORMAT },
  },
  'GET /zones/{id}/diff': {
    tag: 'History',
    summary: 'Compare two versions of a zone',
    needs: VIEW_RIGHTS,
    parameters: [
      { ...query('from', 'Number of an entry, or a time (ISO 8601).'), required: true },
      query('to', 'Same format as `from`. The default is the current version.'),
    ],
    answers: {
      200: object({
        from: wholeNumberSchema(12),
        to: wholeNumberSchema(17),
        properties: object({
          before: named('Properties'),
          after: named('Properties'),
        }),
        changes: list(named('RRsetChange')),
      }),
    },
  },
  'POST /zones/{id}/history/{entry}/undo': {
    tag: 'History',
    summary: 'Undo a history entry',
    description: 'With `merge`, later changes remain.',
    needs: EDIT_RIGHTS,
    hasTag: true,
    body: { validator: undoValidator, example: { merge: false, reason: 'wrong host' } },
    answers: change,
    refusalData: {
      409: object({
        conflicts: list(
          object(
            {
              name: text('www.alpha.example'),
              type: text('A'),
              entry: orNull(wholeNumberSchema(18)),
            },
            { property: text('name'), kind: text('ALLOW-AXFR-FROM') }
          )
        ),
      }),
    },
  },
  'POST /zones/{id}/restore': {
    tag: 'History',
    summary: 'Restore an earlier version of a zone or a part of it',
    needs: EDIT_RIGHTS,
    hasTag: true,
    body: {
      validator: restoreValidator,
      example: { entry: 12, name: 'www' },
      members: {
        entry: 'The version after this entry.',
        time: 'The version at this time (ISO 8601).',
      },
    },
    answers: change,
  },
  'GET /zones/{id}/export': {
    tag: 'Zone files',
    summary: 'Export a zone',
    description:
      'Returns the zone file as a member of the answer. `Accept: text/dns` or `format=text` returns a file. `Accept: text/csv` or `format=csv` returns a table.',
    needs: '`zone_content_view_own` for own zones, `zone_content_view_others` for all zones',
    parameters: [query('format', 'Format of the export: `json`, `text` or `csv`.')],
    answers: { 200: object({ zone_file: text(ZONE_FILE) }) },
    otherAnswers: { 200: FORMAT },
  },
  'POST /zones/{id}/import': {
    tag: 'Zone files',
    summary: 'Import a zone file',
    description:
      '`replace` (default) replaces the zone with the file. `merge` replaces only the RRsets of the file.',
    needs: EDIT_RIGHTS,
    hasTag: true,
    parameters: [
      query('mode', '`replace` or `merge`, if the body is a zone file.'),
      query('format', '`zone` (default), `dig` or `csv`, if the body is a zone file.'),
      query(
        'plan_hash',
        'Plan hash of a dry run. Exactly that plan is applied, or the answer is 409.'
      ),
    ],
    body: {
      validator: importValidator,
      example: { zone_file: ZONE_FILE, mode: 'merge' },
      contents: FORMAT,
    },
    answers: change,
    refusalData: {
      400: object({
        problems: list(
          object(
            {
              line: wholeNumberSchema(2, 'Counted from 1.'),
              field: text('content'),
              message: text('Line 2: ...'),
              severity: word(['error', 'warning']),
            },
            { column: wholeNumberSchema(7, 'Counted from 1.') }
          )
        ),
      }),
      409: object({}, { plan: orNull(named('Plan')), moved: list(named('RRsetName')) }),
    },
  },
  'GET /trash': {
    tag: 'Trash',
    summary: 'List deleted zones',
    description:
      'Lists the deleted zones that the caller could see. The zone that was deleted last is first.',
    list: TRASH_LIST,
    answers: { 200: object({ zones: list(named('TrashedZone')) }) },
  },
  'POST /trash/{id}/restore': {
    tag: 'Trash',
    summary: 'Restore a deleted zone',
    needs:
      'the permission to create the zone, and `zone_content_edit_others` if the caller did not own it',
    body: WRITE_BODY,
    answers: { 201: object({ zone_id: wholeNumberSchema(41) }) },
  },
  'DELETE /trash/{id}': {
    tag: 'Trash',
    summary: 'Delete a zone permanently',
    needs: '`user_is_ueberuser`',
    body: WRITE_BODY,
    answers: { 204: null },
  },
  'GET /search': {
    tag: 'Search',
    summary: 'Search zones, records and comments',
    description:
      'Accepts words, fields such as `type:MX name:mail* ttl<300`, and texts in double quotes. ' +
      'Within quotes, `\\"` is a quote and `\\\\` is a backslash.',
    isPaged: true,
    parameters: [{ ...query('q', 'Search text.'), required: true }, ...PAGE],
    answers: {
      200: object({ results: list(named('SearchResult')), is_complete: flag(true) }),
    },
  },
  'GET /audit': {
    tag: 'Audit log',
    summary: 'List events of the audit log',
    needs: '`user_is_ueberuser`, `user_logs_view` or `group_logs_view`',
    isPaged: true,
    parameters: [
      ...PAGE,
      query('user', 'Only events of the user with this name or id.'),
      query('action', 'Only events of this action, or of a group of actions such as `zone`.'),
      query('object', 'Only events of this object, such as `zone:41` or `zone:alpha.example`.'),
      query('since', 'Only events from this time on (ISO 8601).'),
      query('until', 'Only events up to this time (ISO 8601).'),
    ],
    answers: { 200: object({ entries: list(named('AuditEntry')) }) },
  },
  'GET /explain': {
    tag: 'Access',
    summary: 'Explain why an action is allowed or refused',
    description: 'Returns the decision that a request would get, with its reasons.',
    parameters: [
      {
        name: 'action',
        in: 'query',
        description: 'Action to explain (docs/reference/api.md).',
        required: true,
        schema: { type: 'string', enum: EXPLAINED_ACTIONS },
      },
      query('zone_id', 'Zone of the action.', 'integer'),
      query('name', 'Owner name.'),
      query('type', 'Record type, or type of a zone.'),
      query(
        'user_id',
        'Explains the permissions of this user instead of the caller, without an API key.',
        'integer'
      ),
      query('api_key_id', 'Explains the permissions of this API key and its owner.', 'integer'),
    ],
    answers: {
      200: object({
        decision: { type: 'string', enum: ['allow', 'deny', 'request'], examples: ['allow'] },
        reasons: list(named('Reason')),
        action: text('rrset.write'),
        user: named('UserReference'),
        api_key_id: oneOfSchemas(wholeNumberSchema(3), nullSchema()),
      }),
    },
  },
}
