/** Names the job, in the environment of a command that the scheduler runs. */
export const JOB_VARIABLE = 'ZW_JOB'

/** The job that this process is; undefined in any other process. */
export const jobName: string | undefined = process.env[JOB_VARIABLE]

/**
 * Ends a job's process when its scheduler has ended in any way: its timeout would not be enforced, and another node would run
 * the job at the same time. Does nothing in other processes.
 */
export function endWithScheduler(): void {
  if (jobName !== undefined && process.channel) {
    // No reason to stay when the work is done.
    process.channel.unref()
    process.once('disconnect', () => process.exit(1))
  }
}
