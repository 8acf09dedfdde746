/** The part of the Ace kernel that prints. */
type Console = { ui: { logger: { logError(message: string): void } } }

/**
 * The settings of the operator cannot be used. The message has one line per problem; `bin/ignitor.ts`
 * prints it as it is, without a stack.
 */
export class InvalidSettingsError extends Error {
  readonly operatorMessage = true

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'InvalidSettingsError'
  }

  /** Ace catches errors before `bin/ignitor.ts` sees them, and asks them to print themselves. */
  render(error: Error, kernel: Console): void {
    kernel.ui.logger.logError(error.message)
  }
}
