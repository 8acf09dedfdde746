import { EXPLAINED_ACTIONS } from '#access/explain'
import { WRITE_BODY } from '#openapi/operations/write_body'
import type { Operations, Parameter } from '#openapi/operation'
import {
  either,
  flag,
  list,
  named,
  nothing,
  object,
  orNull,
  text,
  whole,
  word,
} from '#openapi/schema'
import { restoreValidator, undoValidator } from '#validators/history'
import { importValidator } from '#validators/zone'
import { TRASH_LIST } from '#zones/lifecycle/trash_list'

const SEES = '`zone_logs_view_own` or `_others`, and to see the zone'
const EDITS = '`zone_content_edit_own` for own zones, `zone_content_edit_others` for all'
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
  query('per_page', 'Rows of a page.', 'integer'),
]
const POINT = [
  query('entry', 'After this entry.', 'integer'),
  query('time', 'At this moment (ISO 8601).'),
]
const TABLE = 'name,ttl,type,content,priority,disabled\r\nwww,300,A,192.0.2.10,,no\r\n'
const FORMAT = { 'text/dns': { example: ZONE_FILE }, 'text/csv': { example: TABLE } }
const change = {
  200: object({ change: named('Change') }),
  202: object({ change_request: named('ChangeRequest') }),
}

/** What became of zones, and how it comes back; zone files. */
export const HISTORY_OPERATIONS: Operations = {
  'GET /zones/{id}/history': {
    tag: 'History',
    summary: 'List what happened to a zone',
    description: 'The newest first. `include=changes` has the RRsets before and after.',
    needs: SEES,
    isPaged: true,
    parameters: [
      ...PAGE,
      query('cursor', 'Goes on behind the page whose `next_cursor` this is.'),
      query('include', '`changes`'),
      query('name', 'Owner name that was changed.'),
      query('type', 'Record type that was changed.'),
      query('user', 'Name of a user.'),
      query('channel', 'api, web, dyndns, cli, job or outside.'),
      query(
        'action',
        'create, delete, rename or properties, of the zone as a whole; or where it came from: undo, restore, request, template, import, bulk, clone.'
      ),
      query('since', 'From this moment on (ISO 8601).'),
      query('until', 'Up to this moment (ISO 8601).'),
    ],
    answers: { 200: object({ entries: list(named('Entry')), next_cursor: orNull(text('16')) }) },
  },
  'GET /zones/{id}/history/{entry}': {
    tag: 'History',
    summary: 'Show an entry',
    needs: SEES,
    answers: { 200: object({ entry: named('Entry') }) },
  },
  'GET /zones/{id}/at': {
    tag: 'History',
    summary: 'Show a zone as it was',
    description: 'As JSON, or as a zone file with `Accept: text/dns`.',
    needs: SEES,
    parameters: POINT,
    answers: { 200: object({ zone: named('ZoneThen'), rrsets: list(named('RRsetItem')) }) },
    otherAnswers: { 200: FORMAT },
  },
  'GET /zones/{id}/diff': {
    tag: 'History',
    summary: 'Compare two moments of a zone',
    needs: SEES,
    parameters: [
      { ...query('from', 'Number of an entry, or a moment (ISO 8601).'), required: true },
      query('to', 'As `from`; now by default.'),
    ],
    answers: {
      200: object({
        from: whole(12),
        to: whole(17),
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
    summary: 'Undo an entry',
    description: 'With `merge`, what was changed since stays.',
    needs: EDITS,
    hasTag: true,
    body: { validator: undoValidator, example: { merge: false, reason: 'wrong host' } },
    answers: change,
    refusalData: {
      409: object({
        conflicts: list(
          object(
            { name: text('www.alpha.example'), type: text('A'), entry: orNull(whole(18)) },
            { property: text('name'), kind: text('ALLOW-AXFR-FROM') }
          )
        ),
      }),
    },
  },
  'POST /zones/{id}/restore': {
    tag: 'History',
    summary: 'Bring a zone, or a part of it, back to a moment',
    needs: EDITS,
    hasTag: true,
    body: {
      validator: restoreValidator,
      example: { entry: 12, name: 'www' },
      members: { entry: 'After this entry.', time: 'At this moment (ISO 8601).' },
    },
    answers: change,
  },
  'GET /zones/{id}/export': {
    tag: 'Zone files',
    summary: 'Export a zone',
    description:
      'As a member of the answer, or as a file with `Accept: text/dns` or `format=text`, or as a table with `text/csv` or `csv`.',
    needs: '`zone_content_view_own` for own zones, `zone_content_view_others` for all',
    parameters: [query('format', '`json`, `text` or `csv`.')],
    answers: { 200: object({ zone_file: text(ZONE_FILE) }) },
    otherAnswers: { 200: FORMAT },
  },
  'POST /zones/{id}/import': {
    tag: 'Zone files',
    summary: 'Import a zone file',
    description: '`replace` (default) makes the zone what the file has, `merge` its RRsets.',
    needs: EDITS,
    hasTag: true,
    parameters: [
      query('mode', '`replace` or `merge`, where the body is a zone file.'),
      query('format', '`zone` (default), `dig` or `csv`, where the body is a zone file.'),
      query('plan_hash', 'Of a dry run: exactly that plan, or a 409.'),
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
              line: whole(2, 'From 1.'),
              field: text('content'),
              message: text('Line 2: ...'),
              severity: word(['error', 'warning']),
            },
            { column: whole(7, 'From 1.') }
          )
        ),
      }),
      409: object({}, { plan: orNull(named('Plan')), moved: list(named('RRsetName')) }),
    },
  },
  'GET /trash': {
    tag: 'Trash',
    summary: 'List deleted zones',
    description: 'Those that the caller could see, the last deleted first.',
    list: TRASH_LIST,
    answers: { 200: object({ zones: list(named('TrashedZone')) }) },
  },
  'POST /trash/{id}/restore': {
    tag: 'Trash',
    summary: 'Bring a deleted zone back',
    needs: 'to have been able to delete and to create it',
    body: WRITE_BODY,
    answers: { 201: object({ zone_id: whole(41) }) },
  },
  'DELETE /trash/{id}': {
    tag: 'Trash',
    summary: 'Delete a zone for good',
    needs: '`user_is_ueberuser`',
    body: WRITE_BODY,
    answers: { 204: null },
  },
  'GET /search': {
    tag: 'Search',
    summary: 'Search zones, records and comments',
    description:
      'Words, fields such as `type:MX name:mail* ttl<300`, and texts in double quotes. ' +
      'Within quotes `\\"` is a quote, and `\\\\` a backslash.',
    isPaged: true,
    parameters: [{ ...query('q', 'What to look for.'), required: true }, ...PAGE],
    answers: {
      200: object({ results: list(named('SearchResult')), is_complete: flag(true) }),
    },
  },
  'GET /audit': {
    tag: 'Audit log',
    summary: 'List what people did',
    needs: '`user_is_ueberuser`, `user_logs_view` or `group_logs_view`',
    isPaged: true,
    parameters: [
      ...PAGE,
      query('user', 'Name or id of a user.'),
      query('action', 'Name of an action, or of a family of them, as `zone`.'),
      query('object', 'As `zone:41` or `zone:alpha.example`.'),
      query('since', 'From this moment on (ISO 8601).'),
      query('until', 'Up to this moment (ISO 8601).'),
    ],
    answers: { 200: object({ entries: list(named('AuditEntry')) }) },
  },
  'GET /explain': {
    tag: 'Access',
    summary: 'Explain what somebody may do',
    description: 'The very decision that a request would meet, with its reasons.',
    parameters: [
      {
        name: 'action',
        in: 'query',
        description: 'What is to be done (docs/reference/api.md).',
        required: true,
        schema: { type: 'string', enum: EXPLAINED_ACTIONS },
      },
      query('zone_id', 'The zone that it is about.', 'integer'),
      query('name', 'Owner name.'),
      query('type', 'Record type, or kind of a zone.'),
      query('user_id', 'Somebody else, without a key.', 'integer'),
      query('api_key_id', 'A key, with its owner.', 'integer'),
    ],
    answers: {
      200: object({
        decision: { type: 'string', enum: ['allow', 'deny', 'request'], examples: ['allow'] },
        reasons: list(named('Reason')),
        action: text('rrset.write'),
        user: named('UserReference'),
        api_key_id: either(whole(3), nothing()),
      }),
    },
  },
}
