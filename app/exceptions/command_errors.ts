import type { BaseCommand } from '@adonisjs/core/ace'
import {
  BackendMissing,
  BackendUnavailable,
  CapabilityMissing,
  toldRefusal,
  UNCONFIRMED,
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

/** Errors whose own words are for whoever gave the command. */
const TOLD = [Refusal, InvalidDns, BackendMissing, BackendUnavailable, CapabilityMissing]

const DATABASE_SETTINGS = 'DB_CONNECTION, DB_FILE, DB_HOST, DB_PORT, DB_USER, DB_PASSWORD'

/** What a command was working on. */
interface Context {
  /** The file that problems with a line are in, as it was given. */
  file?: string
}

/** A problem of a file, as `data.problems` of a refusal has it. */
interface FileProblem {
  line: number
  column?: number
  severity: string
  message: string
}

/**
 * Runs the work of an Ace command. What is the caller's to mend is said on standard error, in one line or a
 * line for each problem of a file, with exit code 1 and nothing on standard output; other errors go on.
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

/** What an error is in an answer of a command: what `reportRefusals` says of it, or that there is one. */
export async function saidOf(error: unknown): Promise<string> {
  const lines = await linesOf(error, {})
  return lines?.join('; ') ?? 'Internal error, see standard error'
}

async function linesOf(error: unknown, { file }: Context): Promise<string[] | null> {
  if (error instanceof Refusal && file !== undefined && Array.isArray(error.data?.problems)) {
    return error.data.problems.map((problem: FileProblem) => problemLine(file, problem))
  }
  if (error instanceof WriteRefused) {
    return [toldRefusal(error).message]
  }
  if (error instanceof WriteUnconfirmed) {
    return [UNCONFIRMED]
  }
  const isTold = TOLD.some((kind) => error instanceof kind)
  if (isTold || (await isMoved(error))) {
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
    return [`${OUTCOME_UNKNOWN}. Look at it before you try again`]
  }
  return [
    failure === 'down'
      ? `${FAILURES.down.message}: see ${DATABASE_SETTINGS}`
      : FAILURES[failure].message,
  ]
}

/** `file:line:column: severity: what`, as compilers say it. */
function problemLine(file: string, { line, column, severity, message }: FileProblem): string {
  const place = [file, line, ...(column === undefined ? [] : [column])].join(':')
  return `${place}: ${severity}: ${message.replace(/^Line \d+(, column \d+)?: /, '')}`
}

/** Whether somebody else changed in the meantime what the change was based on. */
async function isMoved(error: unknown): Promise<boolean> {
  // Commands are loaded before the application is there; these modules need it.
  const { StateChanged } = await import('#changes/model/action_error')
  const { PreconditionFailed } = await import('#changes/planning/preconditions')
  const { StalePlan } = await import('#changes/planning/plan_store')
  return [PreconditionFailed, StateChanged, StalePlan].some((moved) => error instanceof moved)
}
