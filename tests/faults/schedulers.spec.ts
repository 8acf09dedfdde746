// @databases
import { openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChildProcess } from 'node:child_process'
import { test } from '@japa/runner'
import { parseCron } from '#background/scheduler/cron'
import { nextDue } from '#background/scheduler/due_times'
import { homePath } from '#support/home'
import { unique } from '#tests/support/app/names'
import { testFolder } from '#tests/support/app/server'
import { eventually } from '#tests/support/eventually'
import { handledUntil, runsOf, SCRIPT } from '#tests/support/jobs/jobs'
import { startProgram, endProgram } from '#tests/support/programs'
import { Random, seedOfRun } from '#tests/support/random'

const NODES = 3
const SECONDS = Number(process.env.SCHEDULER_SECONDS ?? 20)
const LEASE_MS = 3_000
/** Maximum milliseconds from the end of a lease until its recovery, on a busy machine. */
const SLACK_MS = 5_000
const CRON = '* * * * * *'

/** A scheduler process that can be killed and started again. */
class Node {
  #child: ChildProcess | undefined

  constructor(
    private readonly words: string[],
    private readonly log: string
  ) {}

  start(): void {
    const script = homePath('tests/support/jobs/node.ts')
    const words = ['--import=@poppinss/ts-exec', script, ...this.words]
    this.#child = startProgram(process.execPath, words, openSync(this.log, 'a'))
  }

  /** The name of the node in its runs. */
  get name(): string {
    return `node:${this.#child?.pid}`
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child!
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
    }
  }

  async stop(): Promise<void> {
    if (this.#child) await endProgram(this.#child)
  }
}

/** Due times after `from` and before `to`, by the cron expression alone. */
function duesBetween(from: number, to: number): number {
  const schedule = { fields: parseCron(CRON)!, timezone: 'UTC' }
  let count = 0
  for (let due = nextDue(schedule, from)!; due < to; due = nextDue(schedule, due)!) count += 1
  return count
}

test.group('Killed schedulers', (group) => {
  group.each.timeout((SECONDS + 120) * 1_000)

  test('each due run happens once, or is recorded as missed and caught up once', async ({
    assert,
    cleanup,
  }) => {
    const seed = seedOfRun()
    const random = new Random(seed)
    const about = `ZW_SEED=${seed}`
    const folder = testFolder('schedulers')
    const marks = join(folder, 'marks')
    writeFileSync(marks, '')
    const name = unique('killed')
    const job = {
      command: name,
      arguments: ['mark', marks],
      cron: CRON,
      timezone: 'UTC',
      timeoutSeconds: 20,
      jitterSeconds: 0,
    }
    const terms = { script: SCRIPT, leaseMs: LEASE_MS, maxStoredRuns: 10_000, pollMs: 500 }
    const words = [JSON.stringify(job), JSON.stringify(terms)]
    const nodes = Array.from({ length: NODES }, (_, index) => {
      return new Node(words, join(folder, `log${index}`))
    })
    cleanup(() => Promise.all(nodes.map((node) => node.stop())).then(() => {}))
    const since = new Date()
    await handledUntil(name, since.toISOString())

    nodes.forEach((node) => node.start())
    await eventually(async () => assert.isNotEmpty(await runsOf(name)), { within: 30_000 })
    const end = Date.now() + SECONDS * 1_000
    while (Date.now() < end) {
      await sleep(500 + random.below(2_500))
      const before = await runsOf(name)
      const running = before.find(({ outcome }) => outcome === 'running')
      const busy = random.chance(0.4) ? nodes.find((node) => node.name === running?.node) : null
      const node = busy ?? random.pick(nodes)
      await node.end(random.chance(0.75) ? 'SIGKILL' : 'SIGTERM')
      node.start()
    }
    // Interrupted runs are detected, and one more run succeeds after its pause.
    const left = await runsOf(name)
    await eventually(
      async () => {
        const runs = await runsOf(name)
        const later = runs.slice(left.length).filter(({ outcome }) => outcome === 'succeeded')
        assert.isNotEmpty(later)
      },
      { within: 60_000, every: 250 }
    )
    await Promise.all(nodes.map((node) => node.end('SIGTERM')))

    const runs = await runsOf(name)
    assert.notInclude(
      runs.map(({ outcome }) => outcome),
      'running',
      about
    )
    // Each due time has a run of its own or a later run that replaces it.
    let handled = since.getTime()
    for (const { due_at: dueAt, cause, missed } of runs) {
      if (cause === 'schedule' || cause === 'catch-up') {
        const due = Date.parse(dueAt)
        assert.isAbove(due, handled, about)
        assert.equal(missed, duesBetween(handled, due), `${about}: before ${dueAt}`)
        handled = due
      }
    }
    // No due time has two runs, and no runs overlap.
    const dues = runs.map(({ due_at: dueAt }) => dueAt)
    assert.lengthOf(new Set(dues), dues.length, about)
    const lines = readFileSync(marks, 'utf8').trim().split('\n')
    const starts = lines.filter((line) => line.startsWith('start'))
    assert.isEmpty(
      lines.filter((line) => line.startsWith('overlap')),
      about
    )
    assert.isAtMost(starts.length, runs.length, about)
    const succeeded = runs.filter(({ outcome }) => outcome === 'succeeded')
    const ends = lines.filter((line) => line.startsWith('end'))
    assert.isAtMost(succeeded.length, ends.length, about)
    assert.isNotEmpty(succeeded, about)
    // No lease stays after its process.
    for (const run of runs.filter(({ outcome }) => outcome === 'lost')) {
      const lived = Date.parse(run.ended_at!) - Date.parse(run.started_at!)
      assert.isBelow(lived, 2 * LEASE_MS + SLACK_MS, `${about}: run ${run.id}`)
    }
  })
})
