import type { BaseCommand } from '@adonisjs/core/ace'
import {
  BackendMissing,
  BackendUnavailable,
  CapabilityMissing,
  refusalAnswer,
  UNCONFIRMED_MESSAGE,
  WriteRefused,
  WriteUnconfirmed,
} from '#backends/contract/errors'
import { InvalidDns } from '#dns/errors'
import {
  databaseFailure,
  FAILURES,
  isOutcomeUnknown,
  isTooLong,
  OUTCOME_UNKNOWN,
  TOO_LONG,
} from '#exceptions/database_errors'
import { Refusal } from '#exceptions/refusal'

/** Errors whose message is for the user of a command. */
const REPORTED_ERRORS = [Refusal, InvalidDns, BackendMissing, BackendUnavailable, CapabilityMissing]

const DATABASE_SETTINGS = 'DB_CONNECTION, DB_FILE, DB_HOST, DB_PORT, DB_USER, DB_PASSWORD'

/** Object that the command processes, for messages. */
interface Context {
  /** The file with the problem lines, as given. */
  file?: string
}

/** A problem of a file, as in `data.problems` of a refusal. */
interface FileProblem {
  line: number
  column?: number
  severity: string
  message: string
}

/**
 * Runs the work of an Ace command. Errors that the user can fix are printed to standard error, in
 * one line or one per problem of a file, with exit code 1. Other errors are rethrown.
 */
export async function reportRefusals(
  command: BaseCommand,
  work: () => Promise<void>,
  context: Context = {}
) {
  try {
    await work()
  } catch (error) {
    const lines = await linesOf(error, context)
    if (lines === null) {
      throw error
    }
    process.stderr.write(lines.map((line) => `${line}\n`).join(''))
    command.exitCode = 1
  }
}

/**
 * The text of an error in the output of a command; for internal errors, a reference to standard
 * error.
 */
export async function errorText(error: unknown): Promise<string> {
  const lines = await linesOf(error, {})
  return lines?.join('; ') ?? 'Internal error, see standard error'
}

async function linesOf(error: unknown, { file }: Context): Promise<string[] | null> {
  if (error instanceof Refusal && file !== undefined && Array.isArray(error.data?.problems)) {
    return error.data.problems.map((problem: FileProblem) => problemLine(file, problem))
  }
  if (error instanceof WriteRefused) {
    return [refusalAnswer(error).message]
  }
  if (error instanceof WriteUnconfirmed) {
    return [UNCONFIRMED_MESSAGE]
  }
  const isReported = REPORTED_ERRORS.some((kind) => error instanceof kind)
  if (isReported || (await isMoved(error))) {
    return [(error as Error).message]
  }
  if (isTooLong(error)) {
    return [TOO_LONG]
  }
  const failure = databaseFailure(error)
  if (failure === null) {
    return null
  }
  if (isOutcomeUnknown(error)) {
    return [`${OUTCOME_UNKNOWN}. Check it before you try again`]
  }
  return [
    failure === 'down'
      ? `${FAILURES.down.message}: see ${DATABASE_SETTINGS}`
      : FAILURES[failure].message,
  ]
}

/** `file:line:column: severity: message`, as compilers print it. */
function problemLine(file: string, { line, column, severity, message }: FileProblem): string {
  const position = [file, line, ...(column === undefined ? [] : [column])].join(':')
  return `${position}: ${severity}: ${message.replace(/^Line \d+(, column \d+)?: /, '')}`
}

/** Whether the state that the change depends on was changed. */
async function isMoved(error: unknown): Promise<boolean> {
  // Commands are loaded before the application is booted, which these modules need.
  const { StateChanged } = await import('#changes/model/action_error')
  const { PreconditionFailed } = await import('#changes/planning/preconditions')
  const { StalePlan } = await import('#changes/planning/plan_store')
  return [PreconditionFailed, StateChanged, StalePlan].some((moved) => error instanceof moved)
}
