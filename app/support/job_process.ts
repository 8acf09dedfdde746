/** Names the job, in the environment of a command that the scheduler runs. */
export const JOB_VARIABLE = 'ZW_JOB'

/** The job that this process is; undefined in any other process. */
export const jobName: string | undefined = process.env[JOB_VARIABLE]

/**
 * Ends a command that the scheduler runs when the scheduler is gone, however that ended: nobody would end it in
 * time then, and another node would run the job beside it. Does nothing in any other process.
 */
export function endWithScheduler(): void {
  if (jobName !== undefined && process.channel) {
    // No reason to stay when the work is done.
    process.channel.unref()
    process.once('disconnect', () => process.exit(1))
  }
}
