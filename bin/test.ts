import { configure, processCLIArgs, run } from '@japa/runner'

/*
| Entry of the test runner: `node --import=@poppinss/ts-exec bin/test.ts [suite...]`.
|
| NODE_ENV decides which files and defaults are loaded, so it is set before the application is imported.
*/
process.env.NODE_ENV = 'test'

// Concurrent test processes need different ports.
const { freePort } = await import('../tests/support/programs.js')
process.env.PORT = String(await freePort())
let endApiMode = async () => {}
if (process.env.TEST_BACKEND === 'api') {
  const { startApiMode } = await import('../tests/support/api_mode.js')
  endApiMode = await startApiMode()
}
const { failStart, ignitor } = await import('./ignitor.js')

ignitor
  .testRunner()
  .configure(async (app) => {
    const { runnerHooks, ...config } = await import('../tests/bootstrap.js')
    processCLIArgs(process.argv.splice(2))
    configure({
      ...app.rcFile.tests,
      ...config,
      setup: runnerHooks.setup,
      teardown: [...runnerHooks.teardown, () => app.terminate(), endApiMode],
    })
  })
  .run(() => run())
  .catch(failStart)
