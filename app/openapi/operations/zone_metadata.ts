import { CACHED, MANAGE_RIGHTS } from '#openapi/operations/shared'
import { WRITE_BODY } from '#openapi/operations/write_body'
import type { Operations } from '#openapi/operation'
import { list, named, object } from '#openapi/schema'
import { metadataValidator } from '#validators/zone'

export const ZONE_METADATA_OPERATIONS: Operations = {
  'GET /zones/{id}/metadata': {
    tag: 'Metadata',
    summary: 'List the metadata of a zone',
    needs: '`zone_metadata_view_own` or `_others`, or the permission to manage the zone',
    answers: { 200: object({ metadata: list(named('Metadata')) }) },
  },
  'GET /zones/{id}/metadata/{kind}': {
    tag: 'Metadata',
    summary: 'Show a metadata kind',
    needs: '`zone_metadata_view_own` or `_others`, or the permission to manage the zone',
    parameters: [CACHED],
    answers: { 200: named('Metadata'), 304: null },
  },
  'PUT /zones/{id}/metadata/{kind}': {
    tag: 'Metadata',
    summary: 'Replace the values of a metadata kind',
    description: 'The kind gets exactly these values (docs/reference/metadata.md).',
    needs: MANAGE_RIGHTS,
    hasTag: true,
    body: { validator: metadataValidator, example: { values: ['192.0.2.0/24'] } },
    answers: { 200: { type: 'null' } },
    refusals: { 422: 'The kind does not allow the value.' },
  },
  'DELETE /zones/{id}/metadata/{kind}': {
    tag: 'Metadata',
    summary: 'Delete a metadata kind',
    needs: MANAGE_RIGHTS,
    hasTag: true,
    body: WRITE_BODY,
    answers: { 200: { type: 'null' } },
  },
}
