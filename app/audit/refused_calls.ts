import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import type { AuditActor, AuditEvent } from '#audit/event'
import { recordAll } from '#audit/record'
import { RepeatGuard } from '#audit/repeat_guard'
import { withoutValues } from '#exceptions/database_errors'
import { flushedAtShutdown } from '#support/buffered_writer'

/**
 * Records events that change nothing: denials and failed sign-ins. They have no transaction, must not fail or delay a request,
 * and can be very many.
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

/** Writes an event that belongs to no transaction, soon, or counts it. Never throws and never waits. */
export function recordInBackground(actor: AuditActor, event: AuditEvent): void {
  refusedCalls.recordEvent(actor, event)
}
