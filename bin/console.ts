import '#support/home'
import '#start/command_name'
import { ensureAppKey } from '#start/app_key'
import { endWithScheduler } from '#support/job_process'
import { failStart, ignitor } from './ignitor.js'

endWithScheduler()

if (process.argv[2] === 'setup') {
  ensureAppKey()
}

ignitor.ace().handle(process.argv.splice(2)).catch(failStart)
