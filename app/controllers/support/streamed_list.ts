import { Readable } from 'node:stream'
import type { HttpContext } from '@adonisjs/core/http'
import { takeListSlot } from '#controllers/support/list_slots'
import { success, type EnvelopeExtras } from '#transformers/envelope'

/** A list that is read while it is sent. */
export interface StreamedList<Row> {
  /** The member of `data` that holds it. */
  member: string
  item: (row: Row) => object
  message: string
  extras?: EnvelopeExtras
}

/**
 * Answers with a whole list, batch by batch: each is read while the last is sent, and none
 * when the client is gone or asked for the head alone. A list of one batch is answered as other answers are. What
 * goes wrong after the first rows cuts the answer off, so that nobody takes a part for the whole. Throws a 429 where too many
 * lists are being sent.
 */
export async function streamList<Row>(
  { request, response, logger }: HttpContext,
  batches: AsyncGenerator<Row[], void>,
  { member, item, message, extras }: StreamedList<Row>
) {
  // However it ends, and also when it never began: whoever reads the batches lets go of the database.
  const letGo = () => void batches.return().catch(() => {})
  // A list that is being sorted has nothing to send, by which a stream would find out.
  response.response.once('close', letGo)
  const releaseSlot = await takeListSlot(response.response)
  const isHead = request.method() === 'HEAD'
  let first = await batches.next()
  // Until there are rows the answer can still become an error.
  while (!first.done && first.value.length === 0 && !isHead) {
    first = await batches.next()
  }
  const second = await batches.next()
  if (second.done) {
    releaseSlot()
    return success({ [member]: (first.value ?? []).map(item) }, message, extras)
  }
  response.header('Content-Type', 'application/json; charset=utf-8')
  if (isHead) {
    await batches.return()
    response.stream(Readable.from([]))
    return
  }
  const [head, tail] = bodyAround(member, message, extras)
  async function* all() {
    yield first.value ?? []
    yield second.value ?? []
    yield* readAhead(batches)
  }
  async function* body() {
    let before = head
    for await (const rows of all()) {
      if (rows.length > 0) {
        yield before + items(rows, item)
        before = ','
      }
    }
    yield before === head ? head + tail : tail
  }
  const stream = Readable.from(body(), { objectMode: false, highWaterMark: 64 * 1024 })
  stream.once('error', (error) => logger.error({ err: error }, 'A list was cut off'))
  stream.once('close', letGo)
  response.stream(stream)
}

/** Reads the next batch while the last one is sent. */
async function* readAhead<Row>(batches: AsyncGenerator<Row[], void>): AsyncGenerator<Row[], void> {
  for (let coming = batches.next(); ;) {
    const { done, value } = await coming
    if (done) {
      return
    }
    coming = batches.next()
    // Whoever comes for it is told; until then nobody may be there.
    coming.catch(() => {})
    yield value
  }
}

function items<Row>(rows: Row[], item: (row: Row) => object): string {
  return JSON.stringify(rows.map(item)).slice(1, -1)
}

/** The text of the envelope before and behind the items. */
function bodyAround(
  member: string,
  message: string,
  extras?: EnvelopeExtras
): [head: string, tail: string] {
  const whole = JSON.stringify(success({ [member]: [] }, message, extras))
  const split = whole.indexOf('[]') + 1
  return [whole.slice(0, split), whole.slice(split)]
}
