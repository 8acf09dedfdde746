import { test } from '@japa/runner'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { inTransaction, isAfterCommit } from '#database/transaction'
import { isOutcomeUnknown } from '#exceptions/database_errors'

type Phase = 'begin' | 'work' | 'commit'

function failed(code: string | undefined, message = 'failed'): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code })
}

/** A client whose transaction fails with the error in this phase. */
function clientThatFails(place: Phase, error: Error): QueryClientContract {
  const executionPromise = new Promise((_, reject) => {
    if (place !== 'work') reject(error)
  })
  executionPromise.catch(() => {})
  const trx = {
    isCompleted: place === 'begin',
    knexClient: { executionPromise },
    async commit() {
      trx.isCompleted = true
    },
    async rollback() {},
  }
  return { transaction: async () => trx } as unknown as QueryClientContract
}

async function errorOf(place: Phase, error: Error): Promise<unknown> {
  const client = clientThatFails(place, error)
  const work = async () => {
    // Statements after a failed BEGIN report another error.
    if (place === 'begin') throw new Error('Transaction query already complete')
    if (place === 'work') throw error
  }
  return inTransaction(client, work).catch((reason: unknown) => reason)
}

/** Phase of the failure, whether COMMIT was sent before, and whether the outcome is unknown. */
const TABLE: [
  place: Phase,
  code: string | undefined,
  message: string,
  sent: boolean,
  open: boolean,
][] = [
  ['begin', 'ECONNRESET', 'read ECONNRESET', false, false],
  ['work', 'ECONNRESET', 'read ECONNRESET', false, false],
  ['work', undefined, 'Connection terminated unexpectedly', false, false],
  ['commit', 'ECONNRESET', 'read ECONNRESET', true, true],
  ['commit', '57P01', 'terminating connection due to administrator command', true, true],
  ['commit', undefined, 'COMMIT; - Connection terminated unexpectedly', true, true],
  ['commit', 'PROTOCOL_CONNECTION_LOST', 'Connection lost', true, true],
  ['commit', 'SQLITE_IOERR_FSYNC', 'disk I/O error', true, true],
  // The database itself reports that it did not commit.
  ['commit', '23503', 'violates foreign key constraint', true, false],
  ['commit', '53100', 'could not extend file', true, false],
  ['commit', '25006', 'read-only', true, false],
]

test.group('Failed transactions', () => {
  for (const [phase, code, message, sent, open] of TABLE) {
    test(`${code ?? message} at ${phase}: outcome ${open ? 'unknown' : 'known'}`, async ({
      assert,
    }) => {
      const error = failed(code, message)
      const thrown = await errorOf(phase, error)
      assert.strictEqual(thrown, error)
      assert.equal(isAfterCommit(thrown), sent)
      assert.equal(isOutcomeUnknown(thrown), open)
    })
  }

  test('isOutcomeUnknown() returns false for errors from elsewhere', ({ assert }) => {
    for (const error of [undefined, null, 'text', new Error('x'), failed('ECONNRESET')]) {
      assert.isFalse(isOutcomeUnknown(error))
    }
  })
})
