import { InvalidSettingsError } from '#settings/errors'
import { nearMisses, unknownKeys } from '#settings/unknown'
import { NO_FILE } from '#settings/settings_file'
import type { Environment, Resolution, ResolvedSetting } from '#settings/resolve'
import type { SettingsFile } from '#settings/settings_file'

/** All declared sections with their values and problems. */
export class SettingsRegistry {
  readonly #sections = new Map<string, Resolution>()

  constructor(
    readonly file: SettingsFile = NO_FILE,
    readonly environment: Environment = {}
  ) {}

  /**
   * Adds a resolved section.
   *
   * @throws Error if the section or one of its variables is already declared: a fault of the code
   */
  add(section: string, resolution: Resolution): void {
    if (this.#sections.has(section)) throw new Error(`Section "${section}" is declared twice.`)
    const keysByVariable = new Map(this.all().map(({ variable, key }) => [variable, key]))
    for (const { variable, key } of resolution.settings) {
      if (keysByVariable.has(variable)) {
        throw new Error(
          `"${key}" and "${keysByVariable.get(variable)}" share the variable ${variable}.`
        )
      }
      keysByVariable.set(variable, key)
    }
    this.#sections.set(section, resolution)
  }

  /** All settings: sections in alphabetical order, settings in the order of declaration. */
  all(): ResolvedSetting[] {
    return [...this.#sections.keys()]
      .sort()
      .flatMap((section) => this.#sections.get(section)!.settings)
  }

  /** All problems of settings, one line each. Complete after `config/` is loaded. */
  problems(): string[] {
    const declared = this.all()
    return [
      ...this.file.problems,
      ...unknownKeys(declared, this.file),
      ...[...this.#sections.keys()]
        .sort()
        .flatMap((section) => this.#sections.get(section)!.problems),
      ...nearMisses(declared, this.environment),
    ]
  }

  /** @throws InvalidSettingsError with every problem, when there is one */
  assertValid(): void {
    const problems = this.problems()
    if (problems.length > 0) throw new InvalidSettingsError(problems)
  }
}
