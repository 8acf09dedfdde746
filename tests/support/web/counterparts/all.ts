import type { Counterparts } from '#tests/support/web/counterparts/counterpart'
import { PEOPLE_COUNTERPARTS } from '#tests/support/web/counterparts/people'
import { ZONE_COUNTERPARTS } from '#tests/support/web/counterparts/zones'

/** All of them. A row of the access matrix without an entry here fails the suite. */
export const COUNTERPARTS: Counterparts = {
  ...PEOPLE_COUNTERPARTS,
  ...ZONE_COUNTERPARTS,
}
