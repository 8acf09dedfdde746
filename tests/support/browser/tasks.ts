/** A test of this suite: its file without `.spec.ts`, and its title without changes. */
type Shown = [file: string, title: string]

/** A task that users of other DNS administration services expect, and the tests that cover it. */
export interface Task {
  task: string
  /** Tests in `tests/browser`. */
  shown?: Shown[]
  /** First cell of the row in docs/compatibility.md that explains why the task is not supported. */
  exception?: string
}

const SOUND = 'its pages are sound, ${name}'
const USER = 'a user is made after refusals, changed, and deleted with their zones handed over'
const GROUPS =
  'two groups share a zone, which their members see and others do not; then one is deleted'
const RIGHTS =
  'a permission template is refused twice, changed, found, and deleted when nobody holds it'
const KEY =
  'a key is renamed, disabled, enabled, gets another secret, is deleted, and the log tells of it'
const ZONE_TEMPLATE =
  'a zone template is made with records, used, left by a zone that keeps its records, and deleted'
const ROLES =
  'each role comes in and finds what is theirs; who is switched off, empty or strange does not'
const PREFERENCES = 'colours, time zone, language and rows of a page are kept'
const WRONG =
  'what goes wrong is told on a page: an ended session, forms sent twice, odd addresses, markup'
const SETTINGS =
  'a network becomes a reverse zone, a secondary takes a primary, and settings are changed'
const APEX =
  'names at the apex and with the suffix are taken, a change moves the serial by one, and a comment is found'
const DNSSEC =
  'the manager of a classless reverse zone signs it, and adds, activates, deactivates and deletes keys'
const MENDED =
  'what other tools left wrong is mended after a look: a missing SOA, stray records, no owner'
const NEW_ZONES = 'the overview and the form of new zones are sound, ${name}'
const SEVERAL_ROWS = 'several rows are changed, reviewed and applied at once, ${name}'
const DELETED = 'many zones are chosen on two pages and deleted, ${name}'
const NEW_PATH =
  'from the first start to a signed zone, a delegated editor, a reviewed change and a key for ACME, by the interface alone'

export const TASKS: Task[] = [
  // Running the service
  {
    task: 'see how the name server does',
    shown: [
      ['name_server', SOUND],
      [
        'name_server',
        'a name server that does not answer is told as that, and never as an unsigned zone',
      ],
    ],
  },
  { task: 'find and mend inconsistencies', shown: [['tasks_server', MENDED]] },
  { task: 'look at mails before they go out', exception: 'previews of mails, templates of mails' },
  {
    task: 'run a job now',
    shown: [['tasks_server', 'a job is asked for, and waits for a scheduler']],
  },
  {
    task: 'run it below a path of another site',
    exception: 'the application below a path of another site',
  },
  // API keys
  {
    task: 'make an API key, and be refused one without a name',
    shown: [
      ['api_keys', 'a key is made by a preset, its secret copied, and gone when one comes back'],
      ['tasks_keys', KEY],
    ],
  },
  { task: 'change, disable, regenerate and delete an API key', shown: [['tasks_keys', KEY]] },
  { task: 'be told that one may not have keys', shown: [['tasks_account', ROLES]] },
  // Many at once
  {
    task: 'make many zones at once, with what is wrong among them',
    shown: [['zone_list', NEW_ZONES]],
  },
  { task: 'delete many zones after a look', shown: [['zone_list', DELETED]] },
  {
    task: 'make PTR records with an address, and for many addresses',
    shown: [
      ['zone_editor', 'an address brings its PTR record where that is ticked'],
      ['zone_text', 'PTR records are chosen, reviewed and made, ${name}'],
    ],
  },
  { task: 'add and change many records at once', shown: [['zone_editor', SEVERAL_ROWS]] },
  {
    task: 'import a file',
    shown: [
      ['zone_text', 'all of it works without scripts'],
      ['zone_text', 'what is pasted is previewed and applied, ${name}'],
    ],
  },
  {
    task: 'export a zone as a file and as a table',
    shown: [
      ['tasks_zones', 'a zone is taken away as a zone file and as a table, by whoever may see it'],
    ],
  },
  // When something goes wrong
  { task: 'go on after the session ended', shown: [['tasks_account', WRONG]] },
  { task: 'send a form twice, or from elsewhere', shown: [['tasks_account', WRONG]] },
  {
    task: 'ask for pages and objects that are not there',
    shown: [
      ['tasks_account', WRONG],
      ['zone_editor', 'every page of a zone is sound, ${name}'],
    ],
  },
  {
    task: 'type markup and have it shown as text',
    shown: [
      ['tasks_account', WRONG],
      ['tasks_users', USER],
    ],
  },
  {
    task: 'be told what is wrong with a name, a value or a TTL',
    shown: [
      ['zone_editor', 'fields are those of the type, and checked while they are typed'],
      ['zone_editor', 'what cannot be is told in the dialog, and the draft stays'],
      ['zone_list', NEW_ZONES],
    ],
  },
  { task: 'accept an agreement', exception: 'an agreement that users accept' },
  // Finding one's way
  {
    task: 'begin at an overview',
    shown: [
      ['zone_list', NEW_ZONES],
      ['tasks_account', ROLES],
    ],
  },
  { task: 'find in the menus what one may do', shown: [['tasks_account', ROLES]] },
  {
    task: 'page through lists whose order stays',
    shown: [
      ['tasks_account', PREFERENCES],
      ['zone_list', DELETED],
    ],
  },
  {
    task: 'choose the rows of a page, colours and time zone',
    shown: [['tasks_account', PREFERENCES]],
  },
  {
    task: 'work on a phone',
    shown: [
      ['zone_editor', SEVERAL_ROWS],
      [
        'every_page',
        'those that no other test looks at are sound in the dark, narrow, from right to left',
      ],
    ],
  },
  { task: 'put a logo of one’s own on it', exception: "logo, favicon and colours of one's own" },
  {
    task: 'look before something is deleted, and go back',
    shown: [
      ['tasks_users', USER],
      ['zone_list', 'settings, deletion and the choice of an owner are sound, ${name}'],
    ],
  },
  // DNSSEC
  {
    task: 'sign a zone, and end it',
    shown: [['name_server', 'without scripts a zone is signed, and signing ends']],
  },
  {
    task: 'add, activate, deactivate and delete DNSSEC keys, as a manager',
    shown: [['name_server', DNSSEC]],
  },
  { task: 'sign a classless reverse zone', shown: [['name_server', DNSSEC]] },
  // People
  { task: 'make, change and delete users, and be refused', shown: [['tasks_users', USER]] },
  { task: 'keep the browser from filling in forms about others', shown: [['tasks_users', USER]] },
  { task: 'make, rename and delete groups, and be refused', shown: [['tasks_users', GROUPS]] },
  {
    task: 'choose members and zones of a group',
    shown: [
      ['accounts', 'members are filtered as one types, and taken all at once'],
      ['tasks_users', GROUPS],
    ],
  },
  { task: 'let several groups own a zone', shown: [['tasks_users', GROUPS]] },
  { task: 'see zones of one’s groups alone', shown: [['tasks_users', GROUPS]] },
  {
    task: 'make, change and delete permission templates',
    shown: [
      ['accounts', 'without scripts a template is made from cards'],
      ['tasks_users', RIGHTS],
    ],
  },
  { task: 'be kept from deleting a template in use', shown: [['tasks_users', RIGHTS]] },
  {
    task: 'see what somebody may do, and why not',
    shown: [
      ['accounts', 'rights are explained for a zone that is suggested'],
      ['accounts', 'whoever may not is told why, by keyboard too'],
    ],
  },
  // Signing in
  {
    task: 'sign in and out, in each role',
    shown: [
      ['sign_in', "in, and out again, ${scripts ? 'with' : 'without'} scripts"],
      ['tasks_account', ROLES],
    ],
  },
  {
    task: 'be refused without being told what was wrong',
    shown: [
      ['sign_in', 'a wrong password is told without saying what was wrong'],
      ['tasks_account', ROLES],
    ],
  },
  {
    task: 'choose a language',
    shown: [
      ['languages', 'the page to sign in speaks what the browser asks for: ${locale}'],
      ['tasks_account', PREFERENCES],
    ],
  },
  { task: 'choose among forty languages', exception: '43 languages, or a subset of them' },
  { task: 'sign in by another service', exception: 'sign-in by OIDC, SAML and LDAP' },
  { task: 'answer a CAPTCHA', exception: 'sign-in questions of a CAPTCHA service' },
  {
    task: 'set up a second factor, use recovery codes, renew them, turn it off',
    shown: [
      [
        'tasks_account',
        'a second factor is set up, asked for, its recovery codes made anew, and turned off',
      ],
    ],
  },
  { task: 'have the second factor mailed', exception: 'a second factor by mail' },
  {
    task: 'change one’s password',
    shown: [
      [
        'tasks_account',
        'a password is changed after it was mistyped, and other windows are signed out',
      ],
    ],
  },
  {
    task: 'set a forgotten password anew',
    shown: [['forgotten_password', 'is asked for, comes as a link by mail, and is set anew']],
  },
  { task: 'get a forgotten user name by mail', exception: 'a forgotten user name, by mail' },
  // Logs
  { task: 'follow what became of API keys', shown: [['tasks_keys', KEY]] },
  {
    task: 'filter the log of people and groups',
    shown: [
      ['tasks_users', GROUPS],
      ['operations', 'their pages are sound, ${name}'],
    ],
  },
  { task: 'take the log away as a table', shown: [['tasks_keys', KEY]] },
  {
    task: 'see each change of a zone, and take it back',
    shown: [
      ['history', 'by keyboard: the newest entry is taken back as its plan says'],
      ['history', SOUND],
    ],
  },
  { task: 'take a private key away as a file', exception: 'DNSSEC keys as PEM, in and out' },
  { task: 'take the log of changes away as a table', exception: 'the change log as CSV' },
  // Records
  {
    task: 'type records of each common type, and be refused',
    shown: [
      ['zone_editor', 'fields are those of the type, and checked while they are typed'],
      ['zone_editor', 'by keyboard alone: found, changed, added, reviewed, applied'],
    ],
  },
  { task: 'name the apex by @ or nothing, and give whole names', shown: [['tasks_zones', APEX]] },
  {
    task: 'comment on a record, and take the comment away',
    shown: [
      ['zone_editor', 'comments, copies and disabled records'],
      ['tasks_zones', APEX],
    ],
  },
  { task: 'move the serial by one with each change', shown: [['tasks_zones', APEX]] },
  {
    task: 'have the same change sent once, and go on after a fault',
    shown: [
      ['zone_editor', 'what goes wrong on the way is told in the dialog, and the draft stays'],
    ],
  },
  { task: 'set a TTL for each type', exception: 'default TTL by type of record' },
  // Finding
  {
    task: 'search by name, type, content and comment',
    shown: [
      ['live', 'search, palette and wizards are sound, ${name}'],
      ['live', 'without scripts: a link to the search, and a wizard that leads to the review'],
      ['tasks_zones', APEX],
    ],
  },
  { task: 'look a name up in WHOIS or RDAP', exception: 'WHOIS and RDAP look-ups' },
  // Autoprimaries
  {
    task: 'add, change and remove autoprimaries, and be refused',
    shown: [['tasks_server', 'autoprimaries are added, refused, changed and removed']],
  },
  // Zone templates
  {
    task: 'make, change and delete zone templates with records and placeholders',
    shown: [['tasks_keys', ZONE_TEMPLATE]],
  },
  { task: 'make a zone from a template', shown: [['tasks_keys', ZONE_TEMPLATE]] },
  {
    task: 'bring zones to their template',
    shown: [['api_keys', 'a zone is brought to its template, from drift to done']],
  },
  {
    task: 'part a zone from its template, and keep its records',
    shown: [['tasks_keys', ZONE_TEMPLATE]],
  },
  { task: 'have a default zone template', exception: 'a default zone template' },
  // Zones
  {
    task: 'make primaries, secondaries and reverse zones',
    shown: [
      ['tasks_zones', SETTINGS],
      ['first_administrator', NEW_PATH],
    ],
  },
  {
    task: 'change kind, description and owners of a zone',
    shown: [
      ['tasks_zones', SETTINGS],
      ['first_administrator', NEW_PATH],
    ],
  },
  {
    task: 'bring a deleted zone back',
    shown: [['history', 'without scripts a zone comes back from the trash']],
  },
  {
    task: 'sort and narrow the list of zones, forward and reverse',
    shown: [
      ['zone_list', 'every state of it is sound, ${name}'],
      ['zone_list', 'a list is kept under a name, with its columns'],
    ],
  },
  { task: 'list zones by their first letter', exception: 'zones by their first letter' },
  {
    task: 'keep members of catalogue zones',
    exception: 'views and networks, members of catalogue zones',
  },
  {
    task: 'fill a zone by wizards',
    shown: [
      ['live', 'a wizard fills the draft of the editor, and writes nothing'],
      [
        'tasks_server',
        'what forms lead to is sound: secrets, wizards, plans, a broken chain, ${name}',
      ],
    ],
  },
  {
    task: 'write metadata of several values and of kinds of one’s own',
    shown: [
      [
        'tasks_zones',
        'metadata takes several values and kinds of one’s own; who may only look finds no button',
      ],
      ['name_server', 'by keyboard a DS record is copied, and metadata added'],
    ],
  },
  {
    task: 'look at metadata without writing it',
    shown: [
      [
        'tasks_zones',
        'metadata takes several values and kinds of one’s own; who may only look finds no button',
      ],
    ],
  },
  { task: 'be kept from making a zone below one of others', shown: [['tasks_users', GROUPS]] },
  {
    task: 'see serials, DNSSEC and owners in the list of zones',
    shown: [['zone_list', 'every state of it is sound, ${name}']],
  },
  {
    task: 'edit a zone as text',
    shown: [
      ['zone_text', 'a text is changed, refused at its lines, reviewed and applied, ${name}'],
    ],
  },
  {
    task: 'edit while others edit, and lose nothing',
    shown: [['zone_conflicts', 'two browsers edit one RRset, and both are asked, ${name}']],
  },
  // From one end to the other
  { task: 'hand a zone to an editor, who edits it', shown: [['first_administrator', NEW_PATH]] },
  {
    task: 'build the zones of a company, and clean up',
    shown: [
      ['first_administrator', NEW_PATH],
      ['zone_list', DELETED],
    ],
  },
  {
    task: 'ask for changes, decide on them, and clean requests up',
    shown: [
      [
        'operations',
        'a requester sees the risk, rebases a stale request, comments on it and takes it back',
      ],
      [
        'operations',
        'without scripts and by keyboard: a reviewer rejects with words, and approves',
      ],
    ],
  },
]
