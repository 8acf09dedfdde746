import { createHash } from 'node:crypto'
import { Refusal } from '#exceptions/refusal'
import { CRON_FORMS, parseCron } from '#background/scheduler/cron'
import type { Schedule } from '#background/scheduler/due_times'

/** A job as `config/scheduler.ts` declares it. */
export interface JobDeclaration {
  /** The Ace command that it is; also the name of the job. */
  command: string
  arguments?: readonly string[]
  /** When it is due; `off` for never. */
  cron: string
  /** IANA time zone of the expression. */
  timezone: string
  /** Timeout of a run. */
  timeoutSeconds: number
  /** Runs begin up to so much later than they are due. */
  jitterSeconds: number
}

/** A declaration in `config/scheduler.ts` is invalid. The start ends with its message. */
export class InvalidJobs extends Refusal {
  readonly operatorMessage = true

  constructor(problem: string) {
    super(500, `config/scheduler.ts: ${problem}`)
  }
}

/** A job with its parsed schedule. */
export interface Job {
  name: string
  arguments: readonly string[]
  cron: string
  timezone: string
  /** null for a job that runs by hand only. */
  schedule: Schedule | null
  timeoutMs: number
  /** How much later than due this job begins, in this installation: always the same. */
  delayMs: number
}

/**
 * The jobs of declarations. Each gets a delay that is the same on all nodes and differs by job and installation, so that not
 * all jobs start at the full hour.
 *
 * @param seed identifies the installation; a hash hides it
 * @throws InvalidJobs that names the job and the error
 */
export function jobsOf(declarations: readonly JobDeclaration[], seed: string | Buffer): Job[] {
  const names = declarations.map(({ command }) => command)
  const duplicate = names.find((name, index) => names.indexOf(name) !== index)
  if (duplicate !== undefined) {
    throw new InvalidJobs(`the job '${duplicate}' is declared twice`)
  }
  return declarations.map((declaration) => {
    const { command: name, cron, timezone, timeoutSeconds, jitterSeconds } = declaration
    return {
      name,
      arguments: declaration.arguments ?? [],
      cron,
      timezone,
      schedule: cron === 'off' ? null : { fields: parseSchedule(name, cron), timezone },
      timeoutMs: timeoutSeconds * 1_000,
      delayMs: Math.floor(hashFraction(name, seed) * jitterSeconds) * 1_000,
    }
  })
}

function parseSchedule(name: string, cron: string) {
  const fields = parseCron(cron)
  if (fields === null) {
    throw new InvalidJobs(
      `the job '${name}' has the cron expression ${JSON.stringify(cron)}; allowed: ${CRON_FORMS}`
    )
  }
  return fields
}

/** From 0 to 1, the same for the same arguments. */
function hashFraction(name: string, seed: string | Buffer): number {
  return createHash('sha256').update(seed).update(name).digest().readUInt32BE() / 2 ** 32
}
