import type { Operations, Parameter } from '#openapi/operation'
import { WRITE_BODY } from '#openapi/operations/write_body'
import { list, named, object, text, wholeNumberSchema } from '#openapi/schema'
import {
  templateSyncValidator,
  templateUnlinkValidator,
  zoneTemplateRecordValidator,
  newZoneTemplateValidator,
  zoneTemplateValidator,
} from '#validators/zone_template'
import { TEMPLATE_RECORD_LIST } from '#zones/templates/template_records'
import { ZONE_TEMPLATE_LIST } from '#zones/templates/zone_templates'

const TAG = 'Zone templates'
const VIEW_RIGHTS = '`zone_templ_add`, `zone_templ_edit`, `zone_master_add` or `zone_slave_add`'
const EDIT_RIGHTS = '`zone_templ_edit`, for own templates'
const emptyAnswer = { 200: { type: 'null' } }

const ZONES = list(named('SyncedZone'))
const refusedRecords = object({}, { errors: list(text('records.1: A: ...')) })
const refusedItems = object({}, { errors: list(text('zones.1: Zone not found')) })
const refusedZones = object({ zones: ZONES })

const PAGE: Parameter[] = ['page', 'per_page'].map((name) => ({
  name,
  in: 'query',
  description:
    name === 'page' ? 'Number of the page, from 1.' : 'Number of zones on a page, at most 100.',
  schema: { type: 'integer' },
}))

/** Zone templates, their records, and linked zones. */
export const ZONE_TEMPLATE_OPERATIONS: Operations = {
  'GET /zone-templates': {
    tag: TAG,
    summary: 'List zone templates',
    description: 'Lists own and global templates. Administrators see all templates.',
    needs: VIEW_RIGHTS,
    list: ZONE_TEMPLATE_LIST,
    answers: { 200: object({ templates: list(named('ZoneTemplateItem')) }) },
  },
  'POST /zone-templates': {
    tag: TAG,
    summary: 'Create a zone template',
    description:
      'A template without an SOA record gets one. Only administrators can create a global template.',
    needs: '`zone_templ_add`; with `records` also `zone_templ_edit`',
    body: {
      validator: newZoneTemplateValidator,
      example: {
        name: 'Web',
        description: 'Web and mail',
        records: [{ name: 'www.[ZONE]', type: 'A', content: '192.0.2.1', ttl: 300 }],
      },
      required: ['name'],
      members: { description: 'Required. `descr` is the same member.' },
    },
    answers: { 201: object({ id: wholeNumberSchema(2) }) },
    refusals: { 409: 'A template that the caller sees has this name.' },
    refusalData: { 400: refusedRecords, 403: refusedRecords },
  },
  'GET /zone-templates/{id}': {
    tag: TAG,
    summary: 'Show a zone template',
    needs: VIEW_RIGHTS,
    answers: { 200: object({ template: named('ZoneTemplate') }) },
  },
  'PUT /zone-templates/{id}': {
    tag: TAG,
    summary: 'Edit a zone template',
    description: 'Absent members do not change. Zones from this template do not change either.',
    needs: EDIT_RIGHTS,
    body: { validator: zoneTemplateValidator, example: { description: 'Web only' } },
    answers: emptyAnswer,
  },
  'DELETE /zone-templates/{id}': {
    tag: TAG,
    summary: 'Delete a zone template',
    description: 'Zones from this template keep their records.',
    needs: EDIT_RIGHTS,
    body: WRITE_BODY,
    answers: emptyAnswer,
  },
  'GET /zone-templates/{id}/records': {
    tag: TAG,
    summary: 'List the records of a zone template',
    needs: VIEW_RIGHTS,
    list: TEMPLATE_RECORD_LIST,
    answers: { 200: object({ records: list(named('TemplateRecord')) }) },
  },
  'POST /zone-templates/{id}/records': {
    tag: TAG,
    summary: 'Create a record in a zone template',
    description:
      'Name and content can have placeholders such as `[ZONE]`. Zonewright checks both by the rules of the type.',
    needs: EDIT_RIGHTS,
    body: {
      validator: zoneTemplateRecordValidator,
      example: { name: 'www.[ZONE]', type: 'A', content: '192.0.2.10', ttl: 300 },
      required: ['name', 'type', 'content'],
      members: {
        content: 'Text (`TXT`) in double quotes.',
        ttl: 'Seconds. The default is the setting `dns.ttl`.',
      },
    },
    answers: { 201: object({ id: wholeNumberSchema(11) }) },
  },
  'GET /zone-templates/{id}/records/{templateRecordId}': {
    tag: TAG,
    summary: 'Show a record of a zone template',
    needs: VIEW_RIGHTS,
    answers: { 200: object({ record: named('TemplateRecord') }) },
  },
  'PUT /zone-templates/{id}/records/{templateRecordId}': {
    tag: TAG,
    summary: 'Edit a record of a zone template',
    description:
      '`name`, `type` and `content` are required. Absent `ttl` and `priority` do not change.',
    needs: EDIT_RIGHTS,
    body: {
      validator: zoneTemplateRecordValidator,
      example: { name: 'www.[ZONE]', type: 'A', content: '192.0.2.11' },
    },
    answers: emptyAnswer,
  },
  'DELETE /zone-templates/{id}/records/{templateRecordId}': {
    tag: TAG,
    summary: 'Delete a record of a zone template',
    needs: EDIT_RIGHTS,
    body: WRITE_BODY,
    answers: emptyAnswer,
  },
  'GET /zone-templates/{id}/drift': {
    tag: TAG,
    summary: 'Compare zones with their template',
    description: 'Lists zones from this template that the caller sees, at most 100 on a page.',
    needs: VIEW_RIGHTS,
    isPaged: true,
    parameters: PAGE,
    answers: { 200: object({ zones: list(named('DriftingZone')) }) },
  },
  'POST /zone-templates/{id}/sync': {
    tag: TAG,
    summary: 'Apply a zone template to zones',
    description:
      'Each zone is a separate change set. A refused zone does not stop the others. Records that users created do not change.',
    needs: 'the permission to edit each zone',
    body: {
      validator: templateSyncValidator,
      example: { zones: [41, 42], dry_run: true },
      members: {
        local_changes: 'With `keep` (default), RRsets that users edited are not overwritten.',
        link: 'Whether to link zones that are not linked to this template.',
      },
    },
    answers: { 200: object({ zones: ZONES }) },
    dryRun: false,
    refusals: { 409: 'All zones were refused, or the request conflicts with the stored state.' },
    refusalData: { 400: refusedZones, 403: refusedZones, 404: refusedZones, 409: refusedZones },
  },
  'POST /zone-templates/{id}/unlink': {
    tag: TAG,
    summary: 'Unlink zones from their template',
    description: 'All zones are unlinked, or none. The zones keep their records.',
    needs: 'the permission to edit each zone or its settings',
    body: { validator: templateUnlinkValidator, example: { zones: [41] } },
    answers: emptyAnswer,
    refusals: { 409: 'A zone is not linked to this template.' },
    refusalData: { 403: refusedItems, 404: refusedItems, 409: refusedItems },
  },
  'POST /zones/{id}/save-template': {
    tag: TAG,
    summary: 'Create a zone template from a zone',
    description: 'Placeholders replace the zone name and the values that settings give every zone.',
    needs: '`zone_templ_add`, and the permission to view the zone',
    body: {
      validator: zoneTemplateValidator,
      example: { name: 'Like alpha', description: 'Created from alpha.example' },
      required: ['name'],
    },
    answers: {
      201: object({
        id: wholeNumberSchema(3),
        records: wholeNumberSchema(10),
        left_out: list(
          object({
            name: text('off.alpha.example'),
            type: text('A'),
            reason: text('the record is disabled'),
          })
        ),
      }),
    },
    refusals: { 409: 'A template that the caller sees has this name.' },
  },
}
