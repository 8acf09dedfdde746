import db from '@adonisjs/lucid/services/db'

/** Statements of background work: sealing of the audit log, deliveries, last use of keys. */
const BACKGROUND = /zw_(audit|outbox)|update .?zw_api_keys/i
/** Transaction statements. Background work sends them too. */
const FRAME = /^(begin|commit|rollback|savepoint|release|set)\b/i

/** Returns the statements that `work` sends, without those of background tasks, which run during every test. */
export async function statementsOf(work: () => PromiseLike<unknown>): Promise<string[]> {
  const client = db.connection().getWriteClient()
  const statements: string[] = []
  const recordStatement = ({ sql }: { sql: string }) => {
    if (!BACKGROUND.test(sql) && !FRAME.test(sql)) statements.push(sql)
  }
  client.on('query', recordStatement)
  await work()
  client.off('query', recordStatement)
  return statements
}
