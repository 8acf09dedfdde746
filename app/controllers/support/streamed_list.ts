import { RequestSlots } from '#middleware/request_slots'
import api from '#config/api'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { HttpContext } from '@adonisjs/core/http'
import { success, type EnvelopeExtras } from '#transformers/envelope'

/** A list that is read while it is sent. */
export interface StreamedList<Row> {
  /** Name of the list in `data`. */
  member: string
  item: (row: Row) => object
  message: string
  extras?: EnvelopeExtras
}

/**
 * Answers with a whole list in batches; each is read while the previous one is sent. Stops after a
 * disconnect, and for HEAD. A list of one batch is a normal answer. A later error aborts the
 * connection, so that no client uses a partial list. Throws 429 if too many lists are being sent.
 */
export async function streamList<Row>(
  { request, response, logger }: HttpContext,
  batches: AsyncGenerator<Row[], void>,
  { member, item, message, extras }: StreamedList<Row>
) {
  // In every case, also before the start: the reader of the batches releases the database.
  const releaseBatches = () => void batches.return().catch(() => {})
  // While a list is sorted, nothing is sent by which the stream would notice a disconnect.
  response.response.once('close', releaseBatches)
  const releaseSlot = await takeListSlot(response.response)
  const isHead = request.method() === 'HEAD'
  let first = await batches.next()
  // Until the first rows, the answer can still be an error.
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
  stream.once('error', (error) =>
    logger.error({ err: error }, 'Response with a whole list interrupted')
  )
  stream.once('close', releaseBatches)
  response.stream(stream)
}

/** Reads the next batch while the previous one is sent. */
async function* readAhead<Row>(batches: AsyncGenerator<Row[], void>): AsyncGenerator<Row[], void> {
  for (let coming = batches.next(); ;) {
    const { done, value } = await coming
    if (done) {
      return
    }
    coming = batches.next()
    // The next iteration gets the error; until then, it must not be an unhandled rejection.
    coming.catch(() => {})
    yield value
  }
}

function items<Row>(rows: Row[], item: (row: Row) => object): string {
  return JSON.stringify(rows.map(item)).slice(1, -1)
}

/** The text of the envelope before and after the items. */
function bodyAround(
  member: string,
  message: string,
  extras?: EnvelopeExtras
): [head: string, tail: string] {
  const emptyBody = JSON.stringify(success({ [member]: [] }, message, extras))
  const split = emptyBody.indexOf('[]') + 1
  return [emptyBody.slice(0, split), emptyBody.slice(split)]
}

/** Maximum wait of a whole list for a slot; tests shorten it. */
export const LIST_SLOTS = { waitMs: 20_000 }

const slots = new RequestSlots({
  maxSlots: () => api.max_whole_lists,
  waitMs: () => LIST_SLOTS.waitMs,
  tooMany: () =>
    `The server is already sending the maximum number of whole lists (api.max_whole_lists: ${api.max_whole_lists}): try again later, or request pages`,
})

/**
 * Waits for a slot of a whole list (`api.max_whole_lists`): each list needs megabytes until it is
 * sent. Waits without a database connection. Throws a 429 `Refusal` after the maximum wait. The
 * returned function, or the end of the response, releases the slot.
 */
export function takeListSlot(response: ServerResponse): Promise<() => void> {
  return slots.take(response)
}
