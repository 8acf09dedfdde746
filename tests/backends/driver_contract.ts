import type { DriverUnderTest } from './contract/bench.js'
import { registerAnswers } from './contract/answers.js'
import { registerAuthority } from './contract/authority.js'
import { registerReads } from './contract/reads.js'
import { registerRectified } from './contract/rectified.js'
import { registerSessions } from './contract/sessions.js'
import { registerSigned } from './contract/signed.js'
import { registerZones } from './contract/zones.js'

/**
 * The contract of every DNS backend: what is written through `DnsBackend` is what a real PowerDNS
 * answers, and what it reads is what was written. One call registers all of it for one driver.
 */
export function registerDriverContract(driver: DriverUnderTest): void {
  registerZones(driver)
  registerReads(driver)
  registerSessions(driver)
  registerAnswers(driver)
  registerAuthority(driver)
  registerSigned(driver)
  registerRectified(driver)
}
