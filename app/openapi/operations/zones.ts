import { CACHED, MANAGES, MANY_SORTED } from '#openapi/operations/shared'
import { WRITE_BODY } from '#openapi/operations/write_body'
import type { Operations, Parameter } from '#openapi/operation'
import { flag, list, named, object, text, whole, word } from '#openapi/schema'
import { RECORD_LIST, RRSET_LIST } from '#backends/contract/record_lists'
import { createRecordValidator, updateRecordValidator } from '#validators/record'
import { bulkValidator, changesValidator, replaceRRsetValidator } from '#validators/record_sets'
import { cloneZoneValidator, createZoneValidator, updateZoneValidator } from '#validators/zone'
import { CREATABLE_KINDS } from '#zones/lifecycle/kinds'
import { ZONE_LIST } from '#zones/list/zone_list'

const SEES = '`zone_content_view_own` for own zones, `zone_content_view_others` for all'
const EDITS =
  '`zone_content_edit_own` (or `_as_client`) for own zones, `zone_content_edit_others` for all'
const RULES = 'A record that breaks a rule of DNS is a 400 (docs/reference/rules.md).'

const warnings = { warnings: list(named('Warning')) }

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: '`*`: write only if the RRset is not there.',
  schema: { type: 'string' },
}

const COMMENTS: Parameter = {
  name: 'include',
  in: 'query',
  description: '`comments`: what was written beside each record. Entity tags do not depend on it.',
  schema: { type: 'string' },
}
const comment = text('Moves in May.', 'With `include=comments`, and after a write that gave it.')
const recordDetail = {
  id: named('RecordId'),
  zone_id: whole(41),
  name: text('www', 'Relative to the zone, `@` at the apex.'),
  type: text('A'),
  content: text('192.0.2.10'),
  ttl: whole(300, 'Seconds.'),
  priority: whole(0),
  disabled: flag(false),
  auth: flag(true, 'false for delegations and glue.'),
}

/** A text for each action that is refused, up to 100, in their order. */
const ACTION_ERRORS = list(text("Action 0 (add www.example A): Field 'content' ..."))
const refusedRecords = object({}, { errors: list(text("Record 0: Field 'content' ...")) })
const refusedActions = object({}, { errors: ACTION_ERRORS })

/** Zones and their records. */
export const ZONE_OPERATIONS: Operations = {
  'GET /zones': {
    tag: 'Zones',
    summary: 'List zones',
    description: 'Those that the caller may see.',
    list: ZONE_LIST,
    answers: { 200: object({ zones: list(named('ZoneItem')) }) },
    isStamped: true,
  },
  'POST /zones': {
    tag: 'Zones',
    summary: 'Create a zone',
    description: 'With its SOA record. The caller owns it, or who is named as owner.',
    needs: '`zone_master_add`, or `zone_slave_add` for replicas',
    body: {
      validator: createZoneValidator,
      example: { name: 'alpha.example', type: 'MASTER', description: 'Shop' },
      required: ['name'],
      members: {
        type: `${CREATABLE_KINDS.join(', ')}, in any case; MASTER by default.`,
        masters: 'Primaries of a replica, as a list or as text with commas; `master` is the same.',
        group_ids: 'Groups that own it.',
        owner_user_id: 'Who owns it; null for nobody, where groups do.',
        soa_edit_api: 'The setting `dns.soa_edit_api` by default; OFF for none.',
        template: 'Id of a zone template, or "none".',
        enable_dnssec:
          'Whether it is signed once it is there; needs `zone_dnssec_manage_own`. Without effect where `dnssec.enabled` is off.',
      },
    },
    answers: {
      201: object(
        { zone_id: whole(43) },
        {
          ...warnings,
          dnssec: word(['signed', 'not_signed', 'unconfirmed'], 'Where it was to be signed.'),
          dnssec_message: text('The zone cannot be signed: ...', 'Why it is not known to be.'),
        }
      ),
    },
    refusals: {
      409: 'There is such a zone already.',
      501: 'It is to be signed, and nobody signs zones here.',
    },
  },
  'POST /zones/{id}/clone': {
    tag: 'Zones',
    summary: 'Clone a zone',
    description:
      'A new zone with the records of this one and their comments, names moved to the new apex. Owners, metadata and keys stay behind.',
    needs: `${SEES}; and \`zone_master_add\``,
    body: {
      validator: cloneZoneValidator,
      example: { name: 'beta.example' },
      required: ['name'],
      members: {
        group_ids: 'Groups that own it.',
        owner_user_id: 'Who owns it, the caller by default; null for nobody, where groups do.',
      },
    },
    answers: { 201: object({ zone_id: whole(44) }, warnings) },
    refusals: { 409: 'There is such a zone already.' },
  },
  'GET /zones/{id}': {
    tag: 'Zones',
    summary: 'Show a zone',
    needs: SEES,
    parameters: [CACHED],
    answers: { 200: object({ zone: named('Zone') }), 304: null },
  },
  'PUT /zones/{id}': {
    tag: 'Zones',
    summary: 'Change a zone',
    description:
      'Its properties, also its name; absent members stay. Another name goes through review where the zone holds names that do (`approval.protected_names`).',
    needs: `${MANAGES}; the right to edit its records for the description alone`,
    hasTag: true,
    body: { validator: updateZoneValidator, example: { description: 'Shop and mail' } },
    answers: {
      200: object({ zone: named('Zone') }, warnings),
      202: object({ change_request: named('ChangeRequest') }),
    },
  },
  'DELETE /zones/{id}': {
    tag: 'Zones',
    summary: 'Delete a zone',
    description: 'With all that belongs to it, into the trash.',
    needs: '`zone_delete_own` for own zones, `zone_delete_others` for all',
    hasTag: true,
    body: WRITE_BODY,
    answers: { 204: null },
  },

  'GET /zones/{id}/records': {
    tag: 'Records',
    summary: 'List records',
    needs: SEES,
    list: RECORD_LIST,
    parameters: [COMMENTS],
    answers: { 200: object({ records: list(named('RecordItem')) }) },
    refusals: MANY_SORTED,
  },
  'POST /zones/{id}/records': {
    tag: 'Records',
    summary: 'Add a record',
    description: `To its RRset, whose TTL becomes that of the record. ${RULES}`,
    needs: EDITS,
    parameters: [IF_NONE_MATCH],
    hasTag: true,
    body: {
      validator: createRecordValidator,
      example: { name: 'www', type: 'A', content: '192.0.2.10', ttl: 300 },
      members: {
        name: 'Relative to the zone, `@`, or absolute.',
        ttl: 'Seconds.',
        comment: 'What is stored beside the record; DNS does not serve it.',
        create_ptr: 'Also write the PTR record, where its zone is here and the caller may.',
      },
    },
    answers: {
      201: object(
        { record: object({ ...recordDetail, ptr_created: flag(false) }, { comment }) },
        warnings
      ),
    },
    refusals: { 409: 'There is such a record already.' },
  },
  'GET /zones/{id}/records/{recordId}': {
    tag: 'Records',
    summary: 'Show a record',
    needs: SEES,
    parameters: [CACHED, COMMENTS],
    answers: { 200: object({ record: object(recordDetail, { comment }) }), 304: null },
  },
  'PUT /zones/{id}/records/{recordId}': {
    tag: 'Records',
    summary: 'Change a record',
    description: `It keeps its id; absent members stay. ${RULES}`,
    needs: EDITS,
    hasTag: true,
    body: {
      validator: updateRecordValidator,
      example: { content: '192.0.2.11' },
      members: {
        comment: 'What is stored beside the record; an empty text removes it.',
        update_ptr: 'Also move the PTR record.',
      },
    },
    answers: {
      200: object(
        { record: object({ ...recordDetail, ptr_updated: flag(false) }, { comment }) },
        warnings
      ),
    },
  },
  'DELETE /zones/{id}/records/{recordId}': {
    tag: 'Records',
    summary: 'Delete a record',
    needs: EDITS,
    hasTag: true,
    body: WRITE_BODY,
    answers: { 204: null },
  },
  'POST /zones/{id}/records/bulk': {
    tag: 'Records',
    summary: 'Create, change and delete records',
    description: `All operations or none. ${RULES}`,
    needs: EDITS,
    hasTag: true,
    body: {
      validator: bulkValidator,
      example: {
        operations: [
          { action: 'create', name: 'a', type: 'A', content: '192.0.2.1', ttl: 60 },
          { action: 'delete', id: 902 },
        ],
        comment: 'ticket 12',
      },
      members: { 'operations.action': 'create, update or delete.', 'comment': 'The reason.' },
    },
    answers: {
      200: object(
        {
          total_operations: whole(2),
          created: whole(1),
          updated: whole(0),
          deleted: whole(1),
          failed: whole(0),
          errors: list(text('')),
        },
        warnings
      ),
    },
    refusalData: Object.fromEntries(
      [400, 403, 404, 409].map((status) => [
        status,
        object({
          total_operations: whole(2),
          created: whole(0),
          updated: whole(0),
          deleted: whole(0),
          failed: whole(1),
          errors: list(text("Operation 0: Field 'content' ...")),
        }),
      ])
    ),
  },

  'GET /zones/{id}/rrsets': {
    tag: 'RRsets',
    summary: 'List RRsets',
    needs: SEES,
    list: RRSET_LIST,
    parameters: [COMMENTS],
    answers: { 200: object({ rrsets: list(named('RRsetItem')) }) },
    refusals: MANY_SORTED,
  },
  ...Object.fromEntries(
    ['PUT', 'POST', 'PATCH'].map((method) => [
      `${method} /zones/{id}/rrsets`,
      {
        tag: 'RRsets',
        summary: method === 'PUT' ? 'Replace an RRset' : `Replace an RRset (${method})`,
        description: `Makes it exactly these records; it may be new. PUT, POST and PATCH are the same. ${RULES}`,
        needs: EDITS,
        parameters: [IF_NONE_MATCH],
        hasTag: true,
        body: {
          validator: replaceRRsetValidator,
          example: { name: 'www', type: 'A', ttl: 300, records: [{ content: '192.0.2.10' }] },
        },
        answers: { 200: object({ rrset: named('RRset') }, warnings) },
        dryRun: object({ plan: named('Plan') }),
        refusalData: { 400: refusedRecords },
      },
    ])
  ),
  'GET /zones/{id}/rrsets/{name}/{type}': {
    tag: 'RRsets',
    summary: 'Show an RRset',
    needs: SEES,
    parameters: [CACHED, COMMENTS],
    answers: { 200: object({ rrset: named('RRset') }), 304: null },
  },
  'DELETE /zones/{id}/rrsets/{name}/{type}': {
    tag: 'RRsets',
    summary: 'Delete an RRset',
    needs: EDITS,
    hasTag: true,
    body: WRITE_BODY,
    answers: { 204: null },
  },

  'POST /changes': {
    tag: 'Change sets',
    summary: 'Change RRsets of one or many zones',
    description:
      'All actions or none. With the `plan_hash` of a dry run: exactly that plan, or a 409.',
    needs: `${EDITS}, in every zone that is changed`,
    body: {
      validator: changesValidator,
      example: {
        reason: 'ticket 12',
        actions: [
          {
            op: 'add',
            name: 'www.alpha.example',
            type: 'A',
            ttl: 300,
            records: [{ content: '192.0.2.7' }],
            expect: 'absent',
          },
        ],
      },
      members: {
        'actions.name': 'Absolute, with or without its final dot.',
        'actions.zone_id': 'The closest zone above the name by default.',
        'actions.expect': 'What must hold of the RRset before the change.',
        'actions.if_match': 'Entity tags of the RRset, one of which it must have.',
        'actions.records.comment': 'Kept beside the record; an empty one ends it.',
      },
    },
    answers: {
      201: object({ change: named('Change') }),
      202: object({ change_request: named('ChangeRequest') }),
    },
    refusals: { 404: 'No zone that the caller can see holds the name.' },
    refusalData: {
      400: refusedActions,
      403: refusedActions,
      404: refusedActions,
      409: object(
        {},
        {
          errors: ACTION_ERRORS,
          plan: { anyOf: [named('Plan'), { type: 'null' }] },
          moved: list(named('RRsetName')),
        }
      ),
      412: object({ current: {} }),
    },
  },
}
