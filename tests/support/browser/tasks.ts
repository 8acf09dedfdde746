/** A test of this suite: its file without `.spec.ts`, and its title without changes. */
type Shown = [file: string, title: string]

/** A task that users of other DNS administration services expect, and the tests that cover it. */
export interface Task {
  task: string
  /** Tests in `tests/browser`. */
  shown?: Shown[]
  /** First cell of the row in docs/reference/compatibility.md that explains why the task is not supported. */
  exception?: string
}

const SOUND = 'its pages pass the page checks, ${name}'
const USER =
  'a user is created after rejected input, changed, and deleted after a transfer of their zones'
const GROUPS = 'two groups share a zone that only their members see; then one group is deleted'
const RIGHTS =
  'a permission template is rejected twice, changed, found, and deleted when nobody has it'
const KEY =
  'an API key is renamed, disabled, enabled, regenerated and deleted, and the audit log has the events'
const ZONE_TEMPLATE =
  'a zone template is created with records, used, unlinked from a zone that keeps its records, and deleted'
const ROLES =
  'each role signs in and sees its own pages; inactive, empty and strange names cannot sign in'
const PREFERENCES = 'theme, time zone, language and page size are stored'
const WRONG =
  'errors are shown on a page: an ended session, forms sent twice, unusual paths, markup'
const SETTINGS =
  'a network becomes a reverse zone, a secondary gets a primary, and settings are changed'
const APEX =
  'names at the apex and with the suffix are accepted, a change increases the serial by one, and a comment is found'
const DNSSEC =
  'the manager of a classless reverse zone enables DNSSEC, and adds, activates, deactivates and deletes keys'
const MENDED =
  'consistency problems of other tools are repaired after a preview: a missing SOA, stray records, no owner'
const NEW_ZONES = 'the overview and the form of new zones pass the page checks, ${name}'
const SEVERAL_ROWS = 'several rows are changed, reviewed and applied together, ${name}'
const DELETED = 'zones are selected on two pages and deleted, ${name}'
const NEW_PATH =
  'a new administrator sets up a signed zone, a delegated editor, a reviewed change and an ACME key'

export const TASKS: Task[] = [
  // Running the service
  {
    task: 'see how the name server does',
    shown: [
      ['name_server', SOUND],
      ['name_server', 'an unreachable name server is reported and not shown as an unsigned zone'],
    ],
  },
  { task: 'find and mend inconsistencies', shown: [['tasks_server', MENDED]] },
  { task: 'look at mails before they go out', exception: 'previews and templates of emails' },
  {
    task: 'run a job now',
    shown: [['tasks_server', 'a requested job waits for a scheduler']],
  },
  {
    task: 'run it below a path of another site',
    exception: 'application below a path of another site',
  },
  // API keys
  {
    task: 'make an API key, and be refused one without a name',
    shown: [
      [
        'api_keys',
        'an API key is created from a preset, its secret is copied and hidden after going back',
      ],
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
      ['zone_editor', 'an address creates its PTR record if selected'],
      ['zone_text', 'PTR records are selected, reviewed and created, ${name}'],
    ],
  },
  { task: 'add and change many records at once', shown: [['zone_editor', SEVERAL_ROWS]] },
  {
    task: 'import a file',
    shown: [
      ['zone_text', 'zone texts and imports work without scripts'],
      ['zone_text', 'pasted records are previewed and imported, ${name}'],
    ],
  },
  {
    task: 'export a zone as a file and as a table',
    shown: [
      ['tasks_zones', 'a zone is exported as a zone file and as a table by users who may see it'],
    ],
  },
  // When something goes wrong
  { task: 'go on after the session ended', shown: [['tasks_account', WRONG]] },
  { task: 'send a form twice, or from elsewhere', shown: [['tasks_account', WRONG]] },
  {
    task: 'ask for pages and objects that are not there',
    shown: [
      ['tasks_account', WRONG],
      ['zone_editor', 'every page of a zone passes the page checks, ${name}'],
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
      ['zone_editor', 'fields match the record type and are checked while typing'],
      ['zone_editor', 'invalid changes are reported in the dialog, and the draft stays'],
      ['zone_list', NEW_ZONES],
    ],
  },
  { task: 'accept an agreement', exception: 'agreement that users accept' },
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
        'pages without other tests pass the page checks in dark, small and right-to-left appearance',
      ],
    ],
  },
  { task: 'put a logo of one’s own on it', exception: 'custom logo, favicon and colours' },
  {
    task: 'look before something is deleted, and go back',
    shown: [
      ['tasks_users', USER],
      ['zone_list', 'settings, deletion and the choice of an owner pass the page checks, ${name}'],
    ],
  },
  // DNSSEC
  {
    task: 'sign a zone, and end it',
    shown: [['name_server', 'DNSSEC is enabled and disabled without scripts']],
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
      ['accounts', 'group members are filtered while typing and removed together'],
      ['tasks_users', GROUPS],
    ],
  },
  { task: 'let several groups own a zone', shown: [['tasks_users', GROUPS]] },
  { task: 'see zones of one’s groups alone', shown: [['tasks_users', GROUPS]] },
  {
    task: 'make, change and delete permission templates',
    shown: [
      ['accounts', 'a permission template is created from cards without scripts'],
      ['tasks_users', RIGHTS],
    ],
  },
  { task: 'be kept from deleting a template in use', shown: [['tasks_users', RIGHTS]] },
  {
    task: 'see what somebody may do, and why not',
    shown: [
      ['accounts', 'permissions are explained for a suggested zone'],
      ['accounts', 'denied actions show their reason, also by keyboard'],
    ],
  },
  // Signing in
  {
    task: 'sign in and out, in each role',
    shown: [
      ['sign_in', "a user signs in and out ${scripts ? 'with' : 'without'} scripts"],
      ['tasks_account', ROLES],
    ],
  },
  {
    task: 'be refused without being told what was wrong',
    shown: [
      ['sign_in', 'a wrong password is rejected without details'],
      ['tasks_account', ROLES],
    ],
  },
  {
    task: 'choose a language',
    shown: [
      ['languages', 'the sign-in page uses the language of the browser: ${locale}'],
      ['tasks_account', PREFERENCES],
    ],
  },
  { task: 'choose among forty languages', exception: '43 languages, or a subset of them' },
  { task: 'sign in by another service', exception: 'sign-in by OIDC, SAML and LDAP' },
  { task: 'answer a CAPTCHA', exception: 'CAPTCHA at sign-in' },
  {
    task: 'set up a second factor, use recovery codes, renew them, turn it off',
    shown: [
      [
        'tasks_account',
        'a second factor is set up, required, given new recovery codes, and disabled',
      ],
    ],
  },
  { task: 'have the second factor mailed', exception: 'second factor by email' },
  {
    task: 'change one’s password',
    shown: [['tasks_account', 'a password change after a mistake signs out other windows']],
  },
  {
    task: 'set a forgotten password anew',
    shown: [['forgotten_password', 'a forgotten password is reset by a link in a mail']],
  },
  { task: 'get a forgotten user name by mail', exception: 'forgotten user name by email' },
  // Logs
  { task: 'follow what became of API keys', shown: [['tasks_keys', KEY]] },
  {
    task: 'filter the log of people and groups',
    shown: [
      ['tasks_users', GROUPS],
      ['operations', 'review and operations pages pass the page checks, ${name}'],
    ],
  },
  { task: 'take the log away as a table', shown: [['tasks_keys', KEY]] },
  {
    task: 'see each change of a zone, and take it back',
    shown: [
      ['history', 'the newest entry is undone by keyboard as its plan shows'],
      ['history', SOUND],
    ],
  },
  { task: 'take a private key away as a file', exception: 'DNSSEC keys as PEM' },
  { task: 'take the log of changes away as a table', exception: 'change log as CSV' },
  // Records
  {
    task: 'type records of each common type, and be refused',
    shown: [
      ['zone_editor', 'fields match the record type and are checked while typing'],
      ['zone_editor', 'records are found, changed, added, reviewed and applied by keyboard'],
    ],
  },
  { task: 'name the apex by @ or nothing, and give whole names', shown: [['tasks_zones', APEX]] },
  {
    task: 'comment on a record, and take the comment away',
    shown: [
      ['zone_editor', 'comments, copies and disabled records are edited'],
      ['tasks_zones', APEX],
    ],
  },
  { task: 'move the serial by one with each change', shown: [['tasks_zones', APEX]] },
  {
    task: 'have the same change sent once, and go on after a fault',
    shown: [['zone_editor', 'connection errors are reported in the dialog, and the draft stays']],
  },
  { task: 'set a TTL for each type', exception: 'default TTL by record type' },
  // Finding
  {
    task: 'search by name, type, content and comment',
    shown: [
      ['live', 'search, palette and wizards pass the page checks, ${name}'],
      ['live', 'without scripts the search is a link and a wizard leads to the review'],
      ['tasks_zones', APEX],
    ],
  },
  { task: 'look a name up in WHOIS or RDAP', exception: 'WHOIS and RDAP lookups' },
  // Autoprimaries
  {
    task: 'add, change and remove autoprimaries, and be refused',
    shown: [['tasks_server', 'autoprimaries are added, rejected, changed and removed']],
  },
  // Zone templates
  {
    task: 'make, change and delete zone templates with records and placeholders',
    shown: [['tasks_keys', ZONE_TEMPLATE]],
  },
  { task: 'make a zone from a template', shown: [['tasks_keys', ZONE_TEMPLATE]] },
  {
    task: 'bring zones to their template',
    shown: [['api_keys', 'a zone with differences is synchronised with its template']],
  },
  {
    task: 'part a zone from its template, and keep its records',
    shown: [['tasks_keys', ZONE_TEMPLATE]],
  },
  { task: 'have a default zone template', exception: 'default zone template' },
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
    shown: [['history', 'a zone is restored from the trash without scripts']],
  },
  {
    task: 'sort and narrow the list of zones, forward and reverse',
    shown: [
      ['zone_list', 'every state of the zone list passes the page checks, ${name}'],
      ['zone_list', 'a view is saved under a name with its columns'],
    ],
  },
  { task: 'list zones by their first letter', exception: 'zones by their first letter' },
  {
    task: 'keep members of catalogue zones',
    exception: 'views and networks, members of catalog zones',
  },
  {
    task: 'fill a zone by wizards',
    shown: [
      ['live', 'a wizard fills the draft of the editor and writes nothing'],
      [
        'tasks_server',
        'results of forms pass the page checks: secrets, wizards, plans, a broken chain, ${name}',
      ],
    ],
  },
  {
    task: 'write metadata of several values and of kinds of one’s own',
    shown: [
      [
        'tasks_zones',
        'metadata has several values and custom kinds; read-only users see no button',
      ],
      ['name_server', 'a DS record is copied and metadata added by keyboard'],
    ],
  },
  {
    task: 'look at metadata without writing it',
    shown: [
      [
        'tasks_zones',
        'metadata has several values and custom kinds; read-only users see no button',
      ],
    ],
  },
  { task: 'be kept from making a zone below one of others', shown: [['tasks_users', GROUPS]] },
  {
    task: 'see serials, DNSSEC and owners in the list of zones',
    shown: [['zone_list', 'every state of the zone list passes the page checks, ${name}']],
  },
  {
    task: 'edit a zone as text',
    shown: [
      ['zone_text', 'a text is edited, rejected at its lines, reviewed and applied, ${name}'],
    ],
  },
  {
    task: 'edit while others edit, and lose nothing',
    shown: [['zone_conflicts', 'two browsers that edit one RRset get a conflict, ${name}']],
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
        'a requester sees the risk, updates an outdated request, comments on it and withdraws it',
      ],
      [
        'operations',
        'a reviewer rejects with a comment and approves, without scripts and by keyboard',
      ],
    ],
  },
]
