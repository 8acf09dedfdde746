import { namedPattern, typedPattern, userPattern } from '#dns/names/policy_patterns'
import { defineSettings, setting } from '#settings/define'

const NAMES = {
  isItem: (text: string) => namedPattern(text) !== undefined,
  says: 'patterns of absolute owner names, such as www.example.com or *.mail.example.com',
}
const AUTO = {
  isItem: (text: string) => typedPattern(text) !== undefined,
  says: 'a pattern of owner names, a blank, and record types with slashes between them, such as "_acme-challenge.** TXT"',
}
const APPROVERS = {
  isItem: (text: string) => userPattern(text) !== undefined,
  says: 'the name of a zone or a pattern of names, a blank, and a user name, such as "example.com alice"',
}

export default defineSettings('approval', {
  enabled: setting.boolean(
    false,
    'Whether changes may go through review: who may only request changes to a zone files change requests. While it is off, nothing of them is there.'
  ),
  require_review_for_all: setting.boolean(
    false,
    'Whether every change of records and every deletion of a zone goes through review, that of editors and administrators too.'
  ),
  separation_of_duties: setting.boolean(
    false,
    'Whether nobody may approve a change request of their own.'
  ),
  approvals_needed: setting.integer(
    1,
    { min: 1, max: 20 },
    'So many reviewers have to approve a change request; the last one applies it.'
  ),
  zone_approvers: setting.stringList(
    [],
    APPROVERS,
    'Zones whose change requests only these users approve, and administrators. They need the right to, nevertheless.'
  ),
  protected_names: setting.stringList(
    [],
    NAMES,
    'Owner names whose records are changed through review only, by whomever.'
  ),
  auto_approve: setting.stringList(
    [],
    AUTO,
    'Records that need no review: who may request changes to a zone writes these at once. Protected names are none of them.'
  ),
  allow_scheduling: setting.boolean(
    false,
    'Whether a change request may say when it is to be applied. It is applied by change-requests:sweep after that moment.'
  ),
  expire_days: setting.integer(
    0,
    { min: 0, max: 36_500, unit: 'days' },
    'Pending change requests that are older are cancelled by change-requests:sweep; 0 keeps them.'
  ),
  cancel_stale: setting.boolean(
    false,
    'Whether change-requests:sweep cancels pending change requests whose base no longer holds, and not only marks them.'
  ),
  notify_by_mail: setting.boolean(
    false,
    'Whether reviewers get a mail when a change request was filed, and its author when it was decided. It takes `smtp.*` and APP_URL. Everybody may switch it off for themselves.'
  ),
  retention_days: setting.integer(
    0,
    { min: 0, max: 36_500, unit: 'days' },
    'Decided change requests that are older are removed by change-requests:sweep; 0 keeps them.'
  ),
})
