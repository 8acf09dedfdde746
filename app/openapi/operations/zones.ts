import { CACHED, MANAGE_RIGHTS, SORT_LIMIT_ERROR } from '#openapi/operations/shared'
import { WRITE_BODY } from '#openapi/operations/write_body'
import type { Operations, Parameter } from '#openapi/operation'
import { flag, list, named, object, text, wholeNumberSchema, word } from '#openapi/schema'
import { RECORD_LIST, RRSET_LIST } from '#backends/contract/record_lists'
import { createRecordValidator, updateRecordValidator } from '#validators/record'
import { bulkValidator, changesValidator, replaceRRsetValidator } from '#validators/record_sets'
import { cloneZoneValidator, createZoneValidator, updateZoneValidator } from '#validators/zone'
import { CREATABLE_KINDS } from '#zones/lifecycle/kinds'
import { ZONE_LIST } from '#zones/list/zone_list'

const VIEW_RIGHTS =
  '`zone_content_view_own` for own zones, `zone_content_view_others` for all zones'
const EDIT_RIGHTS =
  '`zone_content_edit_own` (or `_as_client`) for own zones, `zone_content_edit_others` for all zones'
const RULES = 'A record that violates a DNS rule is refused with 400 (docs/reference/rules.md).'

const warnings = { warnings: list(named('Warning')) }

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: '`*`: writes only if the RRset does not exist.',
  schema: { type: 'string' },
}

const COMMENTS: Parameter = {
  name: 'include',
  in: 'query',
  description:
    '`comments`: adds the stored comment of each record. Entity tags do not cover comments.',
  schema: { type: 'string' },
}
const comment = text(
  'Moves in May.',
  'Present with `include=comments`, and after a write that contains a comment.'
)
const recordDetail = {
  id: named('RecordId'),
  zone_id: wholeNumberSchema(41),
  name: text('www', 'Relative to the zone, `@` for the apex.'),
  type: text('A'),
  content: text('192.0.2.10'),
  ttl: wholeNumberSchema(300, 'Seconds.'),
  priority: wholeNumberSchema(0),
  disabled: flag(false),
  auth: flag(true, '`false` for delegations and glue.'),
}

/** The reasons of up to 100 refused actions, in the order of the actions. */
const ACTION_ERRORS = list(text("Action 0 (add www.example A): Field 'content' ..."))
const refusedRecords = object({}, { errors: list(text("Record 0: Field 'content' ...")) })
const refusedActions = object({}, { errors: ACTION_ERRORS })

/** Zones and their records. */
export const ZONE_OPERATIONS: Operations = {
  'GET /zones': {
    tag: 'Zones',
    summary: 'List zones',
    description: 'Lists the zones that the caller may see.',
    list: ZONE_LIST,
    answers: { 200: object({ zones: list(named('ZoneItem')) }) },
    isStamped: true,
  },
  'POST /zones': {
    tag: 'Zones',
    summary: 'Create a zone',
    description:
      'Creates the zone with its SOA record. The caller owns the zone, unless the request names an owner.',
    needs: '`zone_master_add`, or `zone_slave_add` for secondary zones',
    body: {
      validator: createZoneValidator,
      example: { name: 'alpha.example', type: 'MASTER', description: 'Shop' },
      required: ['name'],
      members: {
        type: `${CREATABLE_KINDS.join(', ')}, in any case. The default is MASTER.`,
        masters:
          'Primaries of a secondary zone, as a list or as text with commas. `master` is the same member.',
        group_ids: 'Groups that own the zone.',
        owner_user_id: 'User who owns the zone. With `null`, no user owns the zone, only groups.',
        soa_edit_api: 'The default is the setting `dns.soa_edit_api`. OFF means none.',
        template: 'Id of a zone template, or "none".',
        enable_dnssec:
          'Whether the zone is signed after its creation. Needs `zone_dnssec_manage_own`. Has no effect if `dnssec.enabled` is off.',
      },
    },
    answers: {
      201: object(
        { zone_id: wholeNumberSchema(43) },
        {
          ...warnings,
          dnssec: word(
            ['signed', 'not_signed', 'unconfirmed'],
            'Present if the request asks for signing.'
          ),
          dnssec_message: text(
            'The zone cannot be signed: ...',
            'Reason why the signing of the zone is not confirmed.'
          ),
        }
      ),
    },
    refusals: {
      409: 'A zone with this name exists.',
      501: 'The request asks for signing, but no server signs zones in this installation.',
    },
  },
  'POST /zones/{id}/clone': {
    tag: 'Zones',
    summary: 'Clone a zone',
    description:
      'Creates a zone with the records of this zone and their comments. Names are moved to the new apex. Owners, metadata and keys are not copied.',
    needs: `${VIEW_RIGHTS}, and also \`zone_master_add\``,
    body: {
      validator: cloneZoneValidator,
      example: { name: 'beta.example' },
      required: ['name'],
      members: {
        group_ids: 'Groups that own the zone.',
        owner_user_id:
          'User who owns the zone. The default is the caller. With `null`, no user owns the zone, only groups.',
      },
    },
    answers: { 201: object({ zone_id: wholeNumberSchema(44) }, warnings) },
    refusals: { 409: 'A zone with this name exists.' },
  },
  'GET /zones/{id}': {
    tag: 'Zones',
    summary: 'Show a zone',
    needs: VIEW_RIGHTS,
    parameters: [CACHED],
    answers: { 200: object({ zone: named('Zone') }), 304: null },
  },
  'PUT /zones/{id}': {
    tag: 'Zones',
    summary: 'Edit a zone',
    description:
      'Edits the properties, including the name. Absent members do not change. A new name needs approval if the zone contains names that need approval (`approval.protected_names`).',
    needs: `${MANAGE_RIGHTS}. For the description alone, the permission to edit its records is enough`,
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
    description: 'Moves the zone and all its data to the trash.',
    needs: '`zone_delete_own` for own zones, `zone_delete_others` for all',
    hasTag: true,
    body: WRITE_BODY,
    answers: { 204: null },
  },

  'GET /zones/{id}/records': {
    tag: 'Records',
    summary: 'List records',
    needs: VIEW_RIGHTS,
    list: RECORD_LIST,
    parameters: [COMMENTS],
    answers: { 200: object({ records: list(named('RecordItem')) }) },
    refusals: SORT_LIMIT_ERROR,
  },
  'POST /zones/{id}/records': {
    tag: 'Records',
    summary: 'Create a record',
    description: `Adds the record to its RRset. The TTL of the record becomes the TTL of the RRset. ${RULES}`,
    needs: EDIT_RIGHTS,
    parameters: [IF_NONE_MATCH],
    hasTag: true,
    body: {
      validator: createRecordValidator,
      example: { name: 'www', type: 'A', content: '192.0.2.10', ttl: 300 },
      members: {
        name: 'Relative to the zone, `@` for the apex, or absolute.',
        ttl: 'Seconds.',
        comment: 'Text that is stored with the record. DNS does not serve it.',
        create_ptr:
          'Also writes the PTR record, if its zone is on this server and the caller may write it.',
      },
    },
    answers: {
      201: object(
        { record: object({ ...recordDetail, ptr_created: flag(false) }, { comment }) },
        warnings
      ),
    },
    refusals: { 409: 'The record exists.' },
  },
  'GET /zones/{id}/records/{recordId}': {
    tag: 'Records',
    summary: 'Show a record',
    needs: VIEW_RIGHTS,
    parameters: [CACHED, COMMENTS],
    answers: { 200: object({ record: object(recordDetail, { comment }) }), 304: null },
  },
  'PUT /zones/{id}/records/{recordId}': {
    tag: 'Records',
    summary: 'Edit a record',
    description: `The record keeps its id. Absent members do not change. ${RULES}`,
    needs: EDIT_RIGHTS,
    hasTag: true,
    body: {
      validator: updateRecordValidator,
      example: { content: '192.0.2.11' },
      members: {
        comment: 'Text that is stored with the record. An empty text deletes the comment.',
        update_ptr: 'Also moves the PTR record.',
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
    needs: EDIT_RIGHTS,
    hasTag: true,
    body: WRITE_BODY,
    answers: { 204: null },
  },
  'POST /zones/{id}/records/bulk': {
    tag: 'Records',
    summary: 'Create, edit and delete records',
    description: `All operations are applied, or none. ${RULES}`,
    needs: EDIT_RIGHTS,
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
      members: {
        'operations.action': 'create, update or delete.',
        'comment': 'Reason for the history.',
      },
    },
    answers: {
      200: object(
        {
          total_operations: wholeNumberSchema(2),
          created: wholeNumberSchema(1),
          updated: wholeNumberSchema(0),
          deleted: wholeNumberSchema(1),
          failed: wholeNumberSchema(0),
          errors: list(text('')),
        },
        warnings
      ),
    },
    refusalData: Object.fromEntries(
      [400, 403, 404, 409].map((status) => [
        status,
        object({
          total_operations: wholeNumberSchema(2),
          created: wholeNumberSchema(0),
          updated: wholeNumberSchema(0),
          deleted: wholeNumberSchema(0),
          failed: wholeNumberSchema(1),
          errors: list(text("Operation 0: Field 'content' ...")),
        }),
      ])
    ),
  },

  'GET /zones/{id}/rrsets': {
    tag: 'RRsets',
    summary: 'List RRsets',
    needs: VIEW_RIGHTS,
    list: RRSET_LIST,
    parameters: [COMMENTS],
    answers: { 200: object({ rrsets: list(named('RRsetItem')) }) },
    refusals: SORT_LIMIT_ERROR,
  },
  ...Object.fromEntries(
    ['PUT', 'POST', 'PATCH'].map((method) => [
      `${method} /zones/{id}/rrsets`,
      {
        tag: 'RRsets',
        summary: method === 'PUT' ? 'Replace an RRset' : `Replace an RRset (${method})`,
        description: `The RRset gets exactly these records. A missing RRset is created. PUT, POST and PATCH do the same. ${RULES}`,
        needs: EDIT_RIGHTS,
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
    needs: VIEW_RIGHTS,
    parameters: [CACHED, COMMENTS],
    answers: { 200: object({ rrset: named('RRset') }), 304: null },
  },
  'DELETE /zones/{id}/rrsets/{name}/{type}': {
    tag: 'RRsets',
    summary: 'Delete an RRset',
    needs: EDIT_RIGHTS,
    hasTag: true,
    body: WRITE_BODY,
    answers: { 204: null },
  },

  'POST /changes': {
    tag: 'Change sets',
    summary: 'Apply changes to RRsets of one or more zones',
    description:
      'All actions are applied, or none. With the `plan_hash` of a dry run, exactly that plan is applied, or the answer is 409.',
    needs: `${EDIT_RIGHTS}, in every changed zone`,
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
        'actions.name': 'Absolute, with or without a final dot.',
        'actions.zone_id': 'The default is the closest zone above the name.',
        'actions.expect': 'State of the RRset that is required before the change.',
        'actions.if_match': 'Entity tags of the RRset. The RRset must have one of them.',
        'actions.records.comment':
          'Text that is stored with the record. An empty text deletes the comment.',
      },
    },
    answers: {
      201: object({ change: named('Change') }),
      202: object({ change_request: named('ChangeRequest') }),
    },
    refusals: { 404: 'No zone that the caller can see contains the name.' },
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
