import app from '@adonisjs/core/services/app'
import { defineConfig, loaders } from '@adonisjs/i18n'
import { Messages } from '#web/page/messages'

export default defineConfig({
  // The complete language; it provides the texts that others lack.
  defaultLocale: 'en',
  formatter: () => new Messages(),
  loaders: [loaders.fs({ location: app.languageFilesPath() })],
})
