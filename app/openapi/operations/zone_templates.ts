import type { Operations, Parameter } from '#openapi/operation'
import { WRITE_BODY } from '#openapi/operations/write_body'
import { list, named, object, text, whole } from '#openapi/schema'
import {
  templateSyncValidator,
  templateUnlinkValidator,
  zoneTemplateRecordValidator,
  zoneTemplateValidator,
} from '#validators/zone_template'
import { TEMPLATE_RECORD_LIST } from '#zones/templates/template_records'
import { ZONE_TEMPLATE_LIST } from '#zones/templates/zone_templates'

const TAG = 'Zone templates'
const SEES = '`zone_templ_add`, `zone_templ_edit`, `zone_master_add` or `zone_slave_add`'
const EDITS = '`zone_templ_edit`, for own templates'
const done = { 200: { type: 'null' } }

const ZONES = list(named('SyncedZone'))
const refusedItems = object({}, { errors: list(text('zones.1: Zone not found')) })
const refusedZones = object({ zones: ZONES })

const PAGE: Parameter[] = ['page', 'per_page'].map((name) => ({
  name,
  in: 'query',
  description: name === 'page' ? 'From 1.' : 'At most 100.',
  schema: { type: 'integer' },
}))

/** Zone templates, their records, and the zones that came from them. */
export const ZONE_TEMPLATE_OPERATIONS: Operations = {
  'GET /zone-templates': {
    tag: TAG,
    summary: 'List zone templates',
    description: 'Own ones and those for everybody; administrators see all.',
    needs: SEES,
    list: ZONE_TEMPLATE_LIST,
    answers: { 200: object({ templates: list(named('ZoneTemplateItem')) }) },
  },
  'POST /zone-templates': {
    tag: TAG,
    summary: 'Create a zone template',
    description: 'It has an SOA record. One for everybody is for administrators to make.',
    needs: '`zone_templ_add`',
    body: {
      validator: zoneTemplateValidator,
      example: { name: 'Web', description: 'Web and mail' },
      required: ['name'],
      members: { description: 'Has to be there; `descr` is the same.' },
    },
    answers: { 201: object({ id: whole(2) }) },
    refusals: { 409: 'A template that one sees has the name.' },
  },
  'GET /zone-templates/{id}': {
    tag: TAG,
    summary: 'Show a zone template',
    needs: SEES,
    answers: { 200: object({ template: named('ZoneTemplate') }) },
  },
  'PUT /zone-templates/{id}': {
    tag: TAG,
    summary: 'Change a zone template',
    description: 'Absent members stay. Zones that came from it do not change by this.',
    needs: EDITS,
    body: { validator: zoneTemplateValidator, example: { description: 'Web only' } },
    answers: done,
  },
  'DELETE /zone-templates/{id}': {
    tag: TAG,
    summary: 'Delete a zone template',
    description: 'Zones that came from it keep their records.',
    needs: EDITS,
    body: WRITE_BODY,
    answers: done,
  },
  'GET /zone-templates/{id}/records': {
    tag: TAG,
    summary: 'List records of a zone template',
    needs: SEES,
    list: TEMPLATE_RECORD_LIST,
    answers: { 200: object({ records: list(named('TemplateRecord')) }) },
  },
  'POST /zone-templates/{id}/records': {
    tag: TAG,
    summary: 'Add a record to a zone template',
    description:
      'Name and content may have placeholders such as `[ZONE]`; they are checked by the rules of the type.',
    needs: EDITS,
    body: {
      validator: zoneTemplateRecordValidator,
      example: { name: 'www.[ZONE]', type: 'A', content: '192.0.2.10', ttl: 300 },
      required: ['name', 'type', 'content'],
      members: {
        content: 'Text (`TXT`) in double quotes.',
        ttl: 'Seconds; the setting `dns.ttl` by default.',
      },
    },
    answers: { 201: object({ id: whole(11) }) },
  },
  'GET /zone-templates/{id}/records/{templateRecordId}': {
    tag: TAG,
    summary: 'Show a record of a zone template',
    needs: SEES,
    answers: { 200: object({ record: named('TemplateRecord') }) },
  },
  'PUT /zone-templates/{id}/records/{templateRecordId}': {
    tag: TAG,
    summary: 'Change a record of a zone template',
    description: '`name`, `type` and `content` are required; `ttl` and `priority` may stay.',
    needs: EDITS,
    body: {
      validator: zoneTemplateRecordValidator,
      example: { name: 'www.[ZONE]', type: 'A', content: '192.0.2.11' },
    },
    answers: done,
  },
  'DELETE /zone-templates/{id}/records/{templateRecordId}': {
    tag: TAG,
    summary: 'Delete a record of a zone template',
    needs: EDITS,
    body: WRITE_BODY,
    answers: done,
  },
  'GET /zone-templates/{id}/drift': {
    tag: TAG,
    summary: 'Compare zones with their template',
    description: 'Zones that came from it and that one sees, at most 100 a page.',
    needs: SEES,
    isPaged: true,
    parameters: PAGE,
    answers: { 200: object({ zones: list(named('DriftingZone')) }) },
  },
  'POST /zone-templates/{id}/sync': {
    tag: TAG,
    summary: 'Bring zones to their template',
    description:
      'Each zone is a change set of its own; one that is refused does not stop the others. Records that people wrote stay.',
    needs: 'The right to edit each zone',
    body: {
      validator: templateSyncValidator,
      example: { zones: [41, 42], dry_run: true },
      members: {
        local_changes: '`keep` (default) leaves RRsets that people changed as they are.',
        link: 'Whether zones that came from elsewhere are linked to this template.',
      },
    },
    answers: { 200: object({ zones: ZONES }) },
    dryRun: false,
    refusals: { 409: 'All zones were refused; or the request does not fit what is there.' },
    refusalData: { 400: refusedZones, 403: refusedZones, 404: refusedZones, 409: refusedZones },
  },
  'POST /zone-templates/{id}/unlink': {
    tag: TAG,
    summary: 'Part zones from their template',
    description: 'All of them or none; they keep their records.',
    needs: 'The right to edit each zone, or its settings',
    body: { validator: templateUnlinkValidator, example: { zones: [41] } },
    answers: done,
    refusals: { 409: 'A zone did not come from this template.' },
    refusalData: { 403: refusedItems, 404: refusedItems, 409: refusedItems },
  },
  'POST /zones/{id}/save-template': {
    tag: TAG,
    summary: 'Make a template of a zone',
    description: 'Its name, and what the settings give every zone, become placeholders.',
    needs: '`zone_templ_add`, and sight of the zone',
    body: {
      validator: zoneTemplateValidator,
      example: { name: 'Like alpha', description: 'Made of alpha.example' },
      required: ['name'],
    },
    answers: {
      201: object({
        id: whole(3),
        records: whole(10),
        left_out: list(
          object({
            name: text('off.alpha.example'),
            type: text('A'),
            reason: text('it is disabled'),
          })
        ),
      }),
    },
    refusals: { 409: 'A template that one sees has the name.' },
  },
}
