import type { ChangeRequest } from '#changes/requests/change_request'
import type { RequestStanding } from '#review/standing'
import { planDetail } from '#transformers/plan'

/** What a reviewer is shown of a request beside itself: what it would do now. */
export function reviewDetail(
  _: ChangeRequest,
  standing: RequestStanding | null,
  seesZones: boolean
) {
  return {
    plan: standing?.plan && seesZones ? planDetail(standing.plan) : null,
    problem: standing?.problem ?? null,
  }
}
