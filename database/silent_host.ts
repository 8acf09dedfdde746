import dbSettings from '#config/db'
import { askOnce, guardPool, type ServerClient } from '#database/statements/limits'
import { SilenceWatch } from '#database/silence'

const SILENT_MS = dbSettings.silence_seconds * 1000

type Log = ConstructorParameters<typeof SilenceWatch>[0]['log']

let client: ServerClient | null = null
let told: Log = console
let watch: SilenceWatch | null = null

/** The watch over the connections of this process to its database server. */
export function silenceWatch(): SilenceWatch {
  watch ??= new SilenceWatch({
    silentMs: SILENT_MS,
    longestMs: dbSettings.statement_seconds * 1000,
    async probe() {
      if (client) await askOnce(client, SILENT_MS)
    },
    log: { error: (text) => told.error(text), info: (text) => told.info(text) },
  })
  return watch
}

/** From now on the database is asked by this client, and its pool gives nothing while the database does not answer. */
export function guardServer(made: ServerClient, log: Log): void {
  client = made
  told = log
  guardPool(made, () => silenceWatch().demandAnswers())
}
