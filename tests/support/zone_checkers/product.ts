import { ActionRefused } from '#changes/model/action_error'
import { targetSteps } from '#changes/planning/target_rrsets'
import { zoneRuleSteps } from '#dns/rules'
import { finished } from '#dns/steps'
import { parseZoneFile } from '#dns/zonefile/index'
import { Refusal } from '#exceptions/refusal'
import type { Verdict } from '#tests/support/zone_checkers/programs'
import { importActions } from '#zones/zone_file/import_actions'

/** Returns the verdict of the product about a zone file for a new zone, as an import without a database. */
export function productVerdict(apex: string, text: string): Verdict {
  try {
    const { actions, warnings } = importActions(
      apex,
      parseZoneFile(text, { origin: apex }),
      'replace'
    )
    const { rrsets } = finished(targetSteps({ name: apex }, [], actions))
    const found = [...warnings, ...finished(zoneRuleSteps(apex, rrsets))]
    return {
      isAccepted: found.every(({ severity }) => severity === 'warning'),
      says: found.map(({ severity, message }) => `${severity}: ${message}\n`).join(''),
    }
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof ActionRefused)) throw error
    return { isAccepted: false, says: `${error.message}\n` }
  }
}
