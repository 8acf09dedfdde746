import dbSettings from '#config/db'
import { askOnce, guardPool, type ServerClient } from '#database/statements/limits'
import { SilenceWatch } from '#database/silence'

const SILENT_MS = dbSettings.silence_seconds * 1000

type SilenceLog = ConstructorParameters<typeof SilenceWatch>[0]['log']

let client: ServerClient | null = null
let log: SilenceLog = console
let watch: SilenceWatch | null = null

/** The watch of this process on the connections to its database server. */
export function silenceWatch(): SilenceWatch {
  watch ??= new SilenceWatch({
    silentMs: SILENT_MS,
    longestMs: dbSettings.statement_seconds * 1000,
    async probe() {
      if (client) await askOnce(client, SILENT_MS)
    },
    log: { error: (text) => log.error(text), info: (text) => log.info(text) },
  })
  return watch
}

/** Uses this client for probes. Its pool refuses connections while the database is silent. */
export function guardServer(serverClient: ServerClient, logger: SilenceLog): void {
  client = serverClient
  log = logger
  guardPool(serverClient, () => silenceWatch().demandAnswers())
}
