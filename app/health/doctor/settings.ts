import { ok, wrongFinding, type Finding } from '#health/doctor/finding'

/** Invalid settings, one sentence each, with the text of the start of the service. */
export function settingsFindings(problems: readonly string[]): Finding[] {
  if (problems.length === 0) {
    return [ok('settings', 'The settings are valid')]
  }
  const remedy =
    'Correct the setting in the named place; docs/reference/settings.md lists all settings'
  return problems.map((problem) => wrongFinding('settings', problem, remedy))
}
