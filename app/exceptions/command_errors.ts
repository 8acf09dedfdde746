import type { BaseCommand } from '@adonisjs/core/ace'
import { BackendMissing } from '#backends/errors'
import { InvalidDns } from '#dns/errors'
import { isDatabaseDown } from '#exceptions/database_errors'
import { Refusal } from '#exceptions/refusal'

/**
 * Runs the work of an Ace command. What is the caller's to mend is said in one line on standard error,
 * with exit code 1 and nothing on standard output; other errors go on.
 */
export async function reportRefusals(command: BaseCommand, work: () => Promise<void>) {
  try {
    await work()
  } catch (error) {
    const message = messageOf(error)
    if (message === null) {
      throw error
    }
    process.stderr.write(`${message}\n`)
    command.exitCode = 1
  }
}

function messageOf(error: unknown): string | null {
  const isTold =
    error instanceof Refusal || error instanceof InvalidDns || error instanceof BackendMissing
  if (isTold) {
    return error.message
  }
  return isDatabaseDown(error)
    ? 'The database cannot be reached: see DB_CONNECTION, DB_FILE, DB_HOST, DB_PORT, DB_USER, DB_PASSWORD'
    : null
}
