import { namedPattern, typedPattern, userPattern } from '#dns/names/policy_patterns'
import { defineSettings, setting } from '#settings/define'

const NAMES = {
  isItem: (text: string) => namedPattern(text) !== undefined,
  says: 'patterns of absolute owner names, such as www.example.com or *.mail.example.com',
}
const AUTO = {
  isItem: (text: string) => typedPattern(text) !== undefined,
  says: 'a pattern of owner names, a space, and record types separated by slashes, such as "_acme-challenge.** TXT"',
}
const APPROVERS = {
  isItem: (text: string) => userPattern(text) !== undefined,
  says: 'the name of a zone or a pattern of names, a space, and a user name, such as "example.com alice"',
}

export default defineSettings('approval', {
  enabled: setting.boolean(
    false,
    'Enables change requests: users who may only request changes submit them for approval.'
  ),
  require_review_for_all: setting.boolean(
    false,
    'Requires approval for all record changes and zone deletions, including those of editors and administrators.'
  ),
  separation_of_duties: setting.boolean(
    false,
    'Prevents users from approving their own change requests.'
  ),
  approvals_needed: setting.integer(
    1,
    { min: 1, max: 20 },
    'Number of approvals that a change request needs. The last one applies it.'
  ),
  zone_approvers: setting.stringList(
    [],
    APPROVERS,
    'Zones whose change requests only these users and administrators may approve. The users also need the permission to approve.'
  ),
  protected_names: setting.stringList([], NAMES, 'Owner names whose records always need approval.'),
  auto_approve: setting.stringList(
    [],
    AUTO,
    'Records that users who may only request changes can write without approval. Protected names are excluded.'
  ),
  allow_scheduling: setting.boolean(
    false,
    'Allows change requests with a scheduled time. The job change-requests:sweep applies them after that time.'
  ),
  expire_days: setting.integer(
    0,
    { min: 0, max: 36_500, unit: 'days' },
    'Age at which the job change-requests:sweep cancels pending change requests; 0 for never.'
  ),
  cancel_stale: setting.boolean(
    false,
    'Cancels outdated change requests in the job change-requests:sweep instead of only marking them.'
  ),
  notify_by_mail: setting.boolean(
    false,
    'Sends email to reviewers about new change requests, and to authors about decisions. Needs `smtp.*` and APP_URL. Users can disable it for themselves.'
  ),
  retention_days: setting.integer(
    0,
    { min: 0, max: 36_500, unit: 'days' },
    'Age at which the job change-requests:sweep deletes decided change requests; 0 for never.'
  ),
})
