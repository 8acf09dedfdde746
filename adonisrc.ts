import { defineConfig } from '@adonisjs/core/app'

export default defineConfig({
  commands: [() => import('@adonisjs/core/commands'), () => import('@adonisjs/lucid/commands')],
  providers: [
    () => import('@adonisjs/core/providers/app_provider'),
    () => import('@adonisjs/core/providers/hash_provider'),
    () => import('@adonisjs/core/providers/vinejs_provider'),
    () => import('@adonisjs/lucid/database_provider'),
    () => import('@adonisjs/core/providers/edge_provider'),
    () => import('@adonisjs/session/session_provider'),
    () => import('@adonisjs/shield/shield_provider'),
    () => import('@adonisjs/i18n/i18n_provider'),
    { file: () => import('@adonisjs/mail/mail_provider'), environment: ['web', 'test'] },
    () => import('#providers/settings_provider'),
    () => import('#providers/database_provider'),
    () => import('#providers/schema_provider'),
    () => import('#providers/backend_provider'),
    () => import('#providers/sql_backend_provider'),
    () => import('#providers/powerdns_api_backend_provider'),
    () => import('#providers/plugins_provider'),
    () => import('#providers/background_provider'),
    () => import('#providers/web_provider'),
    () => import('#providers/first_run_provider'),
  ],
  preloads: [
    () => import('#start/routes'),
    () => import('#start/web_routes'),
    () => import('#start/kernel'),
  ],
  tests: {
    suites: [
      { name: 'unit', files: ['tests/unit/**/*.spec.ts'], timeout: 60_000 },
      { name: 'functional', files: ['tests/functional/**/*.spec.ts'], timeout: 60_000 },
      { name: 'backends', files: ['tests/backends/**/*.spec.ts'], timeout: 120_000 },
      { name: 'clients', files: ['tests/clients/**/*.spec.ts'], timeout: 120_000 },
      { name: 'browser', files: ['tests/browser/**/*.spec.ts'], timeout: 120_000 },
      { name: 'faults', files: ['tests/faults/**/*.spec.ts'], timeout: 300_000 },
      { name: 'faults-api', files: ['tests/faults_api/**/*.spec.ts'], timeout: 300_000 },
    ],
    forceExit: true,
  },
  metaFiles: [
    { pattern: 'resources/**/*', reloadServer: false },
    { pattern: 'docs/**/*', reloadServer: false },
    { pattern: '.npmrc', reloadServer: false },
    { pattern: 'package-lock.json', reloadServer: false },
  ],
})
