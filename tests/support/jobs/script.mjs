/*
| Stands in for ace.js where tests run jobs: the arguments of the job say what it does.
|
|   mark <file>      notes its start and its end in a file, 300 ms apart, and whether another one is on
|   say <text>...    writes lines to standard output
|   fail             writes to standard error and ends with 3
|   hang             does nothing for ever, and does not listen when it is asked to end
|   wait             does nothing for ever
*/
import { appendFileSync, closeSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

await import('@poppinss/ts-exec')
const { endWithScheduler } = await import('../../../app/support/job_process.js')
endWithScheduler()

const [, , , word, ...rest] = process.argv

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Takes the lock; the one of a killed process may be taken over. */
function lock(path, log) {
  try {
    const holder = Number(readFileSync(path, 'utf8'))
    if (isAlive(holder)) appendFileSync(log, `overlap ${process.pid} ${holder}\n`)
    unlinkSync(path)
  } catch {}
  const file = openSync(path, 'w')
  writeSync(file, String(process.pid))
  closeSync(file)
}

switch (word) {
  case 'mark': {
    const [file] = rest
    lock(`${file}.lock`, file)
    appendFileSync(file, `start ${process.pid}\n`)
    await sleep(300)
    appendFileSync(file, `end ${process.pid}\n`)
    unlinkSync(`${file}.lock`)
    break
  }
  case 'say':
    process.stdout.write(rest.map((line) => `${line}\n`).join(''))
    break
  case 'fail':
    process.stderr.write('It failed\n')
    process.exitCode = 3
    break
  case 'hang':
    process.on('SIGTERM', () => {})
    setInterval(() => {}, 1000)
    break
  case 'wait':
    setInterval(() => {}, 1000)
    break
}
