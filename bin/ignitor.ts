import '#support/home'
import 'reflect-metadata'
import { Ignitor, prettyPrintError } from '@adonisjs/core'
import { endOnSignal } from '#start/end_on_signal'
import { listenProblem } from '#start/listen_problem'

/** Folder of the running code: the checkout, or its `build/` folder. */
const APP_ROOT = new URL('../', import.meta.url)

/** Imports `./` and `../` paths relative to the running code, everything else as a package. */
const IMPORTER = (filePath: string) => {
  if (filePath.startsWith('./') || filePath.startsWith('../')) {
    return import(new URL(filePath, APP_ROOT).href)
  }
  return import(filePath)
}

/** The application, as the entry points of server, console and tests start it. */
export const ignitor = new Ignitor(APP_ROOT, { importer: IMPORTER }).tap((app) => {
  app.booting(async () => {
    await import('#support/env')
  })
  endOnSignal(app)
})

/**
 * Ends the process after a failed start. Errors that the operator can fix are printed as they are, one line per problem. Other
 * errors are printed with their stack.
 */
export async function failStart(error: unknown): Promise<never> {
  const problem = listenProblem(error)
  if (problem !== null) {
    process.stderr.write(`${problem}\n`)
  } else if (error instanceof Error && 'operatorMessage' in error) {
    process.stderr.write(`${error.message}\n`)
  } else {
    await prettyPrintError(error as Error)
  }
  process.exit(1)
}
