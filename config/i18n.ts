import app from '@adonisjs/core/services/app'
import { defineConfig, loaders } from '@adonisjs/i18n'
import { Messages } from '#web/page/messages'

export default defineConfig({
  // The one that is complete: what another lacks is said in it.
  defaultLocale: 'en',
  formatter: () => new Messages(),
  loaders: [loaders.fs({ location: app.languageFilesPath() })],
})
