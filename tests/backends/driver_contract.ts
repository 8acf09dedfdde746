import type { DriverUnderTest } from './contract/bench.js'
import { registerAnswers } from './contract/answers.js'
import { registerAuthority } from './contract/authority.js'
import { registerMetadata } from './contract/metadata.js'
import { registerNeighbours } from './contract/neighbours.js'
import { registerOutside } from './contract/outside.js'
import { registerOutsideRandom } from './contract/outside_random.js'
import { registerOutsideZones } from './contract/outside_zones.js'
import { registerReads } from './contract/reads.js'
import { registerRectified } from './contract/rectified.js'
import { registerSessions } from './contract/sessions.js'
import { registerSigned } from './contract/signed.js'
import { registerZones } from './contract/zones.js'

/**
 * The contract of every DNS backend: a real PowerDNS answers the records that were written through `DnsBackend`, and the
 * backend reads them back. One call registers all tests for one driver.
 */
export function registerDriverContract(driver: DriverUnderTest): void {
  registerZones(driver)
  registerReads(driver)
  registerNeighbours(driver)
  registerSessions(driver)
  registerAnswers(driver)
  registerMetadata(driver)
  if (driver.hasOutsiders ?? true) {
    registerOutside(driver)
    registerOutsideRandom(driver)
  }
  if (driver.writesRows) {
    registerAuthority(driver)
    registerSigned(driver)
    registerRectified(driver)
    registerOutsideZones(driver)
  }
}
