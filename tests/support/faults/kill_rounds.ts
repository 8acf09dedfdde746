import { setTimeout as sleep } from 'node:timers/promises'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { BackendManager } from '#backends/manager'
import { envelopeOf, type ApiCalls } from '#tests/support/faults/api_calls'
import {
  isDone,
  isOpen,
  planWrites,
  send,
  type LoadedZone,
  type Wishes,
  type Write,
} from '#tests/support/faults/workload'
import { contradictionsIn, entriesOf } from '#tests/support/faults/zone_history'
import type { Random } from '#tests/support/random'

const SENDERS = 6
/** More than any server gets done before it is killed. */
const PLANNED = 300
/** The longest time, in ms, from the first request to the kill. */
const LONGEST_MS = 300
/** Longer than a request may run without a change (`DEAD_AFTER_MS`). */
const LONG_AGO = new Date(Date.now() - 60 * 60_000).toISOString()

/** Sends writes from several clients at once, and kills the server at a random moment. Returns all that were sent. */
export async function writeUntilKilled(
  api: ApiCalls,
  kill: () => Promise<unknown>,
  zones: LoadedZone[],
  { random, wishes }: { random: Random; wishes: Wishes }
): Promise<Write[]> {
  const planned = planWrites(random, wishes, zones, PLANNED)
  const sent: Write[] = []
  let isOver = false
  const sender = async () => {
    for (let write = planned.pop(); write && !isOver; write = planned.pop()) {
      write.repeatKey = random.chance(0.6) ? write.label : null
      sent.push(write)
      await send(api, write)
      isOver ||= isOpen(write)
    }
  }
  const sending = Array.from({ length: SENDERS }, sender)
  await sleep(random.next() * LONGEST_MS)
  await kill()
  isOver = true
  await Promise.all(sending)
  return sent
}

/**
 * Sends the unanswered writes that have an `Idempotency-Key` again, as their clients would. Returns what
 * came of it that must not.
 */
export async function repeatUnanswered(api: ApiCalls, writes: Write[]): Promise<string[]> {
  const problems: string[] = []
  for (const write of writes.filter((it) => isOpen(it) && it.repeatKey !== null)) {
    const say = (text: string) => problems.push(`${write.op} ${write.label}: ${text}`)
    await send(api, write)
    if (messageOf(write).includes('still running')) {
      if ((await entriesNaming(write)) > 0) say('is said to run, and is done')
      // Nobody waits for minutes here: the dead request becomes an old one.
      await db.from('zw_repeats').where('state', 'running').update({ created_at: LONG_AGO })
      await send(api, write)
    }
    const isLost = messageOf(write).includes('its answer was lost')
    const { status } = write.answer!
    if (!isDone(write) && !isLost && status !== 404) say(`${status} ${write.answer?.text}`)
    const expected = status === 404 ? 0 : 1
    const found = await entriesNaming(write)
    if (found !== expected) say(`${found} entries after ${status}`)
  }
  return problems
}

/** What is wrong with the zones after a kill: with each by itself, and with what was answered. */
export async function damageOf(zones: LoadedZone[], writes: Write[]): Promise<string[]> {
  const manager = await app.container.make(BackendManager)
  const backend = manager.use()
  const problems: string[] = []
  for (const { id, name } of zones) {
    problems.push(...(await contradictionsIn(id)))
    const zone = await backend.findZone(id)
    if (!zone || (await backend.hasOutsideChanges(zone))) {
      problems.push(`${name}: own writes look like those of somebody else`)
    }
    const entries = await entriesOf(id)
    const flushes = await flushesOf(id)
    if (flushes !== entries.length) {
      problems.push(`${name}: ${entries.length} entries, but ${flushes} events in the outbox`)
    }
    const counts = new Map<string, number>()
    for (const { reason } of entries) {
      counts.set(reason ?? '', (counts.get(reason ?? '') ?? 0) + 1)
    }
    for (const write of writes.filter((candidate) => candidate.zone.id === id)) {
      const count = counts.get(write.label) ?? 0
      const isWrong = isDone(write) ? count !== 1 : isOpen(write) ? count > 1 : count > 0
      if (isWrong) {
        problems.push(`${write.op} ${write.label} (${write.answer?.status}): ${count} entries`)
      }
    }
  }
  return problems
}

/** Events of a server that cannot deliver any: each entry leaves one to flush the caches of its zone. */
async function flushesOf(zoneId: number): Promise<number> {
  const rows: unknown[] = await db
    .from('zw_outbox')
    .where({ zone_id: zoneId, kind: 'flush' })
    .select('id')
  return rows.length
}

function messageOf({ answer }: Write): string {
  return answer?.status === 409 ? envelopeOf(answer).message : ''
}

async function entriesNaming({ zone, label }: Write): Promise<number> {
  const rows: unknown[] = await db
    .from('zw_journal')
    .where({ zone_id: zone.id, reason: label })
    .select('entry')
  return rows.length
}
