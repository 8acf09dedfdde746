import db from '@adonisjs/lucid/services/db'

/** What the server sends of its own accord: sealing of the audit log, deliveries, stamps of keys. */
const BACKGROUND = /zw_(audit|outbox)|update .?zw_api_keys/i
/** Frames of transactions, which those works have too. */
const FRAME = /^(begin|commit|rollback|savepoint|release|set)\b/i

/**
 * The statements that the work sends to the database, without what runs beside it: the server works in the
 * background of every test.
 */
export async function statementsOf(work: () => PromiseLike<unknown>): Promise<string[]> {
  const client = db.connection().getWriteClient()
  const statements: string[] = []
  const note = ({ sql }: { sql: string }) => {
    if (!BACKGROUND.test(sql) && !FRAME.test(sql)) statements.push(sql)
  }
  client.on('query', note)
  await work()
  client.off('query', note)
  return statements
}
