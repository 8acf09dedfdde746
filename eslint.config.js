import { configApp } from '@adonisjs/eslint-config'

/** What the endpoints and their OpenAPI description may import. */
const ENDPOINT_IMPORTS = [
  'dns',
  'backends',
  'access',
  'audit',
  'accounts',
  'health',
  'lists',
  'changes',
  'zones',
  'review',
  'events',
  'background',
  'models',
  'exceptions',
  'validators',
  'transformers',
  'middleware',
  'web',
]

/**
 * The modules of app/ and what each may import (docs/architecture/README.md, "Modules"). Imports point
 * downwards only; what is not listed here is refused.
 */
export const MAY_IMPORT = {
  support: ['settings'],
  dns: [],
  settings: [],
  models: [],
  exceptions: [],
  health: ['backends'],
  backends: ['dns', 'lists'],
  lists: ['dns', 'exceptions'],
  access: ['dns', 'models', 'exceptions'],
  audit: ['access', 'exceptions'],
  accounts: ['dns', 'access', 'audit', 'models', 'exceptions', 'lists'],
  changes: ['dns', 'backends', 'access', 'audit', 'models', 'exceptions', 'lists'],
  zones: ['dns', 'backends', 'access', 'audit', 'changes', 'models', 'exceptions', 'lists'],
  events: [
    'dns',
    'backends',
    'access',
    'audit',
    'accounts',
    'changes',
    'zones',
    'exceptions',
    'lists',
  ],
  review: [
    'dns',
    'backends',
    'access',
    'audit',
    'accounts',
    'changes',
    'zones',
    'models',
    'exceptions',
    'lists',
  ],
  background: [
    'dns',
    'backends',
    'access',
    'audit',
    'accounts',
    'changes',
    'zones',
    'events',
    'models',
    'exceptions',
    'lists',
  ],
  validators: ['dns', 'exceptions'],
  transformers: [
    'dns',
    'backends',
    'access',
    'audit',
    'accounts',
    'changes',
    'zones',
    'review',
    'events',
    'background',
    'models',
  ],
  web: [
    'dns',
    'backends',
    'access',
    'audit',
    'accounts',
    'lists',
    'changes',
    'zones',
    'review',
    'events',
    'exceptions',
    'settings',
    'transformers',
    'validators',
  ],
  terminal: [
    'dns',
    'access',
    'audit',
    'changes',
    'zones',
    'background',
    'exceptions',
    'transformers',
  ],
  middleware: [
    'access',
    'audit',
    'accounts',
    'changes',
    'zones',
    'exceptions',
    'settings',
    'transformers',
    'web',
  ],
  openapi: ENDPOINT_IMPORTS,
  controllers: ['openapi', ...ENDPOINT_IMPORTS],
}

const modules = Object.keys(MAY_IMPORT)
const WRITES_RECORDS = ['changes', 'backends']

const ONE_WAY = 'Records are written through a change set (app/changes/), nowhere else.'

/** `backend.write(...)` with the work to do, by whatever name the backend goes. */
const WRITE_CALL = {
  selector:
    "CallExpression[callee.property.name='write'][arguments.0.type=/^(Arrow)?FunctionExpression$/]",
  message: ONE_WAY,
}

/** Vine asks each branch of a union whether it takes a value; numbers answer by `Number()`, which objects can break. */
const NUMBER_IN_UNION = {
  selector:
    'CallExpression[callee.property.name=/^union(OfTypes)?$/] CallExpression:matches([callee.name=/^(rowNumber|wholeNumber|ttlSeconds|flag)$/], [callee.property.name=/^(number|boolean|date)$/])',
  message: 'Use textOrNumber() or reference() of app/validators/fields.ts.',
}

/** PowerDNS' tables by name. The zone index of a backend is read through `DnsBackend.zoneIndex`. */
const POWERDNS_TABLE = {
  selector:
    'CallExpression[callee.property.name=/^(from|table|into)$/] > Literal[value=/^(records|domains|comments|domainmetadata|cryptokeys)$/]',
  message: "Only the SQL driver (app/backends/sql/) knows PowerDNS' tables.",
}

/** Error handlers may import every module that defines errors; app/exceptions/refusal.ts imports none. */
const ERROR_ENDS = {
  files: [
    'app/exceptions/handler.ts',
    'app/exceptions/audited_refusals.ts',
    'app/exceptions/command_errors.ts',
  ],
  modules: ['dns', 'access', 'audit', 'backends', 'changes', 'transformers', 'web'],
}

/** Refuses imports of modules that `module` may not import, by alias and by relative path. */
function importRulesOf(module, files = [`app/${module}/**/*.ts`], open = MAY_IMPORT[module]) {
  const closed = modules.filter(
    (other) => other !== module && other !== 'support' && !open.includes(other)
  )
  const groups = [
    {
      regex: `^(#|.*/app/|\\.\\./(.*/)?)(${closed.join('|')})/`,
      message: `app/${module}/ may import only: ${open.join(', ') || 'nothing of app/'}.`,
    },
  ]
  if (module === 'dns') {
    groups.push({
      regex: '^(?!#dns/|node:(crypto|url|util|buffer)$)',
      message: 'app/dns/ is pure: no I/O, no framework, no packages.',
    })
  }
  const isWriter = WRITES_RECORDS.includes(module)
  if (!isWriter) {
    groups.push({ regex: '(^#|/)backends/(contract/write_session|sql/)', message: ONE_WAY })
  }
  return {
    files,
    rules: {
      'no-restricted-imports': ['error', { patterns: groups }],
      'no-restricted-syntax': [
        'error',
        ...(isWriter ? [] : [WRITE_CALL]),
        ...(module === 'validators' ? [NUMBER_IN_UNION] : []),
        ...(module === 'backends' ? [] : [POWERDNS_TABLE]),
      ],
    },
  }
}

/** Words without a clear meaning, as whole names and as parts of names (docs/STYLE.md). */
const DENIED_WORDS = [
  ...['believe', 'believed', 'bring', 'door', 'glance', 'keeper', 'marked', 'mend', 'mended'],
  ...['moments', 'placed', 'sieve', 'tell', 'whoever'],
]

const capital = (word) => word[0].toUpperCase() + word.slice(1)

/** Refuses names such as `sieve`, `Sieve`, `idSieve`, `sieveOf`, `ID_SIEVE`. */
const CLEAR_NAMES = {
  files: ['{app,bin,commands,config,database,providers,start}/**/*.ts'],
  rules: {
    'id-denylist': ['error', ...DENIED_WORDS, ...DENIED_WORDS.map(capital)],
    'id-match': [
      'error',
      `^(?!(?:.*[^a-zA-Z])?(?:${DENIED_WORDS.join('|')})(?![a-z]))` +
        `(?!.*(?:${DENIED_WORDS.map(capital).join('|')})(?![a-z]))` +
        `(?!(?:.*_)?(?:${DENIED_WORDS.map((word) => word.toUpperCase()).join('|')})(?:_|$))`,
      { properties: true, classFields: true },
    ],
  },
}

/** The format of all files is checked by `npm run format:check`: once is enough. */
const FORMAT_ELSEWHERE = { rules: { 'prettier/prettier': 'off' } }

export default [
  ...configApp({ ignores: ['build/**', 'tmp/**', 'tests/support/openapi/api_types.d.ts'] }),
  ...modules.map((module) => importRulesOf(module)),
  importRulesOf('exceptions', ERROR_ENDS.files, ERROR_ENDS.modules),
  CLEAR_NAMES,
  FORMAT_ELSEWHERE,
  { rules: { 'max-lines': ['error', { max: 400, skipComments: true, skipBlankLines: true }] } },
]
