const OWN_ACCOUNT = 'the own account: the API has keys, and neither sessions nor preferences'
const DRAFT = 'makes a draft, which /zones/:id/plan plans and nothing else'
const PLANNED =
  'plans, or applies what was planned, by the use case of the import or change of records'
const FROM_FILE =
  'plans, or makes, a zone with the records of a file: POST /zones and its import in one'
const MANY = 'does to each of many zones what the form of one does, by its use case'
const CONSISTENCY = 'administrators only; mends by changes of records, owners, and what no API has'

/** Forms for signed-in users without a corresponding API operation, and the reason. */
export const OTHER_FORMS: Record<string, string> = {
  '/logout': OWN_ACCOUNT,
  '/account/preferences': OWN_ACCOUNT,
  '/account/password': OWN_ACCOUNT,
  '/account/second-factor': OWN_ACCOUNT,
  '/account/second-factor/recovery-codes': OWN_ACCOUNT,
  '/account/second-factor/off': OWN_ACCOUNT,
  '/account/sessions/end-others': OWN_ACCOUNT,
  '/account/sessions/:id/end': OWN_ACCOUNT,
  '/zones/views': OWN_ACCOUNT,
  '/zones/views/:id/delete': OWN_ACCOUNT,
  '/users/:id/sessions/end': 'sessions of browsers; administrators only (user.manage_sign_in)',
  '/users/:id/second-factor/off': 'signing in by browsers; administrators only',
  '/users/:id/groups': 'what /groups/:id/members does, from the side of the user',

  '/zones/:id/check': 'says what is wrong with a record that is being typed; writes nothing',
  '/zones/:id/records/new': DRAFT,
  '/zones/:id/records/:recordId/edit': DRAFT,
  '/zones/:id/records/:recordId/delete': DRAFT,
  '/zones/:id/wizards/:kind': DRAFT,
  '/zones/:id/text': 'the text again, with others’ changes in it; writes nothing',
  '/zones/:id/text/check': 'says what is wrong with a text that is being typed; writes nothing',
  '/zones/:id/text/plan': PLANNED,
  '/zones/:id/text/apply': PLANNED,
  '/zones/:id/import': 'the form again, with what was typed; writes nothing',
  '/zones/:id/import/apply': PLANNED,
  '/zones/:id/ptr/plan': PLANNED,
  '/zones/:id/ptr/apply': PLANNED,
  '/zones/:id/dnssec/unsign': 'the other side of /zones/:id/dnssec/sign, after its warnings',
  '/zones/:id/dnssec/keys/:keyId/deactivate': 'the other side of activating, after its warnings',
  '/zones/new/file': 'the form again, with what was typed; writes nothing',
  '/zones/new/file/plan': FROM_FILE,
  '/zones/new/file/apply': FROM_FILE,
  '/zones/bulk': MANY,
  '/zones/bulk/apply': MANY,

  '/server/consistency/:check/plan': CONSISTENCY,
  '/server/consistency/:check/apply': CONSISTENCY,
  '/outbox/retry': 'administrators only; deliveries of webhooks have their own',
  '/audit/verify': 'looks at the chain; writes nothing',
}

/** Forms for visitors without a session, and the reason. */
export const EVERYBODYS_FORMS: Record<string, string> = {
  '/login': 'signs in',
  '/login/code': 'the second step of signing in',
  '/password/forgotten': 'whoever forgot the password is not signed in',
  '/password/reset': 'so is whoever sets another one by the link of a mail',
  '/setup': 'the first administrator, by the token that the server printed',
}
