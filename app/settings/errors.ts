/** The part of the Ace kernel that prints messages. */
type Console = { ui: { logger: { logError(message: string): void } } }

/**
 * Invalid settings. The message has one line per problem; `bin/ignitor.ts` prints it without a
 * stack.
 */
export class InvalidSettingsError extends Error {
  readonly operatorMessage = true

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'InvalidSettingsError'
  }

  /** Ace catches errors before `bin/ignitor.ts` does, and calls this method. */
  render(error: Error, kernel: Console): void {
    kernel.ui.logger.logError(error.message)
  }
}
