import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { Finding } from '#health/doctor/finding'

/** Checks an installation. Starts the application itself, so that invalid settings are a finding and not a crash. */
export default class Doctor extends BaseCommand {
  static commandName = 'doctor'
  static description = 'Check the installation; show problems and how to fix them'
  static help = ['Changes nothing. Exit code 1 if there are problems.']

  @flags.boolean({ description: 'Print a JSON object with is_well and findings' })
  declare json: boolean

  async run() {
    const { findingLines } = await import('#terminal/doctor_text')
    const findings = await this.#findings()
    const isWell = findings.every(({ state }) => state !== 'wrong')
    const text = this.json
      ? JSON.stringify({ is_well: isWell, findings }, null, 2)
      : findingLines(findings).join('\n')
    process.stdout.write(`${text}\n`)
    this.exitCode = isWell ? 0 : 1
  }

  async #findings(): Promise<Finding[]> {
    const { loadSettings } = await import('#settings/load')
    const { settingsFindings } = await import('#health/doctor/settings')
    const registry = await loadSettings()
    const settings = settingsFindings(registry.problems())
    if (settings.some(({ state }) => state === 'wrong')) {
      return settings
    }
    const { InvalidSettingsError } = await import('#settings/errors')
    try {
      await this.app.boot()
      await this.app.start(() => {})
    } catch (error) {
      // Some settings are validated when their provider starts, also those of other packages.
      if (error instanceof InvalidSettingsError) {
        return settingsFindings(error.problems)
      }
      throw error
    }
    const { pendingMigrations } = await import('#accounts/migrate')
    const { diagnose } = await import('#health/doctor/doctor')
    return [...settings, ...(await diagnose(() => pendingMigrations(this.app)))]
  }
}
