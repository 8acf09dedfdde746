import { BaseCommand, flags } from '@adonisjs/core/ace'

/**
 * Lists the settings. Does not start the application, so that it also works with invalid settings: it then prints the problems
 * to standard error and exits with code 1.
 */
export default class SettingsList extends BaseCommand {
  static commandName = 'settings:list'
  static description = 'Show all settings with values (secrets masked) and sources'

  @flags.boolean({ description: 'Print a JSON array with key, value, default, source and more' })
  declare json: boolean

  @flags.boolean({ description: 'Print the documentation page, docs/reference/settings.md' })
  declare markdown: boolean

  async run() {
    const { loadSettings } = await import('#settings/load')
    const { listSettings, settingsTable } = await import('#settings/list')
    const registry = await loadSettings()

    if (this.markdown) {
      const { settingsDocument } = await import('#settings/document')
      this.logger.log(settingsDocument(registry.all()).trimEnd())
      return
    }

    const settings = listSettings(registry.all())
    this.logger.log(this.json ? JSON.stringify(settings, null, 2) : settingsTable(settings))
    for (const problem of registry.problems()) {
      this.logger.logError(problem)
      this.exitCode = 1
    }
  }
}
