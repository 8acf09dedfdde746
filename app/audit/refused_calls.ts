import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import type { AuditActor, AuditEvent } from '#audit/event'
import { recordAll } from '#audit/record'
import { RepeatGuard } from '#audit/repeat_guard'
import { withoutValues } from '#exceptions/database_errors'
import { flushedAtShutdown } from '#support/buffered_writer'

/**
 * Records events without a change: denials and failed sign-ins. They have no transaction, and must
 * neither fail nor delay a request. Their number is limited.
 */
export const refusedCalls = flushedAtShutdown(
  new RepeatGuard(async (events) => {
    try {
      await recordAll(db.connection(), events)
    } catch (error) {
      const fields = { err: withoutValues(error), events: events.length }
      logger.warn(fields, 'Audit logging of refused calls failed')
    }
  })
)

/**
 * Stores an event that belongs to no transaction, in the background, or counts it as a repetition.
 * Never throws and never waits.
 */
export function recordInBackground(actor: AuditActor, event: AuditEvent): void {
  refusedCalls.recordEvent(actor, event)
}
