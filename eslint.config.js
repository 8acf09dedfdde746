import { configApp } from '@adonisjs/eslint-config'

/**
 * The rooms of app/ and the rooms each may import from (ARCHITECTURE.md, "The rooms"). Imports point
 * downwards only; what is not listed here is refused.
 */
const MAY_IMPORT = {
  dns: [],
  settings: [],
  models: [],
  exceptions: [],
  health: ['backends'],
  backends: ['dns'],
  access: ['dns', 'models', 'exceptions'],
  accounts: ['access', 'models', 'exceptions'],
  changes: ['dns', 'backends', 'access', 'models', 'exceptions'],
  zones: ['dns', 'backends', 'access', 'changes', 'models', 'exceptions'],
  validators: ['dns', 'exceptions'],
  transformers: ['dns', 'backends', 'changes', 'zones', 'models'],
  middleware: ['access', 'accounts', 'exceptions', 'settings'],
  controllers: [
    'dns',
    'backends',
    'access',
    'accounts',
    'health',
    'changes',
    'zones',
    'models',
    'exceptions',
    'validators',
    'transformers',
    'middleware',
  ],
}

const rooms = Object.keys(MAY_IMPORT)
const WRITES_RECORDS = ['changes', 'backends']

/** The last stop of every error knows them all; what throws them knows only app/exceptions/refusal.ts. */
const ERROR_ENDS = {
  files: ['app/exceptions/handler.ts', 'app/exceptions/command_errors.ts'],
  rooms: ['dns', 'backends', 'transformers'],
}

/** Refuses the aliases and the relative paths of every room that `room` may not enter. */
function wallsOf(room, files = [`app/${room}/**/*.ts`], open = MAY_IMPORT[room]) {
  const closed = rooms.filter((other) => other !== room && !open.includes(other))
  const groups = [
    {
      regex: `^(#|.*/app/|\\.\\./(.*/)?)(${closed.join('|')})/`,
      message: `app/${room}/ may import only: ${open.join(', ') || 'nothing of app/'}.`,
    },
  ]
  if (room === 'dns') {
    groups.push({
      regex: '^(@adonisjs/|@vinejs/|luxon|node:(fs|net|http|https|dgram|child_process|dns)(/|$))',
      message: 'app/dns/ is pure: no I/O and no framework.',
    })
  }
  if (!WRITES_RECORDS.includes(room)) {
    groups.push({
      regex: '^#backends/write_session',
      message: 'Records are written through a change set (app/changes/), nowhere else.',
    })
  }
  return {
    files,
    rules: { 'no-restricted-imports': ['error', { patterns: groups }] },
  }
}

export default [
  ...configApp({ ignores: ['build/**', 'tmp/**'] }),
  ...rooms.map((room) => wallsOf(room)),
  wallsOf('exceptions', ERROR_ENDS.files, ERROR_ENDS.rooms),
  { rules: { 'max-lines': ['error', { max: 400, skipComments: true, skipBlankLines: true }] } },
]
