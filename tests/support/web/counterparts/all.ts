import type { Counterparts } from '#tests/support/web/counterparts/counterpart'
import { OPERATIONS_COUNTERPARTS } from '#tests/support/web/counterparts/operations'
import { NAME_SERVER_COUNTERPARTS } from '#tests/support/web/counterparts/name_server'
import { PEOPLE_COUNTERPARTS } from '#tests/support/web/counterparts/people'
import { KEY_COUNTERPARTS } from '#tests/support/web/counterparts/keys'
import { ZONE_COUNTERPARTS } from '#tests/support/web/counterparts/zones'
import { ZONE_TEMPLATE_COUNTERPARTS } from '#tests/support/web/counterparts/zone_templates'

/** All counterparts. A row of the access matrix without an entry fails the suite. */
export const COUNTERPARTS: Counterparts = {
  ...PEOPLE_COUNTERPARTS,
  ...ZONE_COUNTERPARTS,
  ...OPERATIONS_COUNTERPARTS,
  ...NAME_SERVER_COUNTERPARTS,
  ...KEY_COUNTERPARTS,
  ...ZONE_TEMPLATE_COUNTERPARTS,
  'GET /api/v2/search': { path: () => '/search?q=matrix', allowed: 200 },
  'GET /api/v2/events': { path: () => '/live?follow=false', allowed: 200 },
}
