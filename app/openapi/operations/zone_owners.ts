import { MANAGE_RIGHTS } from '#openapi/operations/shared'
import { WRITE_BODY } from '#openapi/operations/write_body'
import type { Operations } from '#openapi/operation'
import { oneOfSchemas, list, named, object, text, wholeNumberSchema } from '#openapi/schema'
import { zoneOwnerValidator } from '#validators/accounts/group'

export const ZONE_OWNER_OPERATIONS: Operations = {
  'GET /zones/{id}/owners': {
    tag: 'Owners',
    summary: 'List the owners of a zone',
    needs: '`zone_ownership_view_own` or `_others`, or the permission to manage the zone',
    answers: { 200: object({ owners: list(named('ZoneOwner')) }) },
  },
  'POST /zones/{id}/owners': {
    tag: 'Owners',
    summary: 'Add owners to a zone',
    needs: MANAGE_RIGHTS,
    body: {
      validator: zoneOwnerValidator,
      example: { user_ids: [9] },
      schemas: { user_ids: list(oneOfSchemas(wholeNumberSchema(9), text('9'))) },
    },
    answers: {
      200: named('AddedOwners'),
      201: { anyOf: [named('AddedOwners'), { type: 'null' }] },
    },
    refusals: { 409: 'The users already own the zone. In API mode: two zones share the id.' },
  },
  'DELETE /zones/{id}/owners/{userId}': {
    tag: 'Owners',
    summary: 'Remove an owner from a zone',
    needs: MANAGE_RIGHTS,
    body: WRITE_BODY,
    answers: { 200: { type: 'null' } },
    refusals: { 409: 'The user is the last owner.' },
  },
}
