import { baseUrl } from '#tests/support/app/api'
import type { VisibleEvent } from '#events/visibility'

/** A received message of a stream. */
export interface Message {
  id: string | null
  event: string | null
  data: VisibleEvent
}

/** Reads a stream of server-sent events. */
export class StreamReader {
  readonly messages: Message[] = []
  /** The last received id, with or without an event. */
  lastId: string | null = null
  isEnded = false
  /** Resolves when the stream has ended or was closed. */
  readonly ended: Promise<void>
  readonly #controller = new AbortController()

  private constructor(response: Response, controller: AbortController) {
    this.#controller = controller
    this.ended = this.#read(response).finally(() => (this.isEnded = true))
    this.ended.catch(() => {})
  }

  /** Opens a stream. Throws if the request is refused. */
  static async open(
    { key }: { key: string },
    query = '',
    { url = baseUrl(), lastEventId }: { url?: string; lastEventId?: string } = {}
  ): Promise<StreamReader> {
    const controller = new AbortController()
    const response = await fetch(`${url}/api/v2/events${query}`, {
      headers: { 'x-api-key': key, ...(lastEventId ? { 'last-event-id': lastEventId } : {}) },
      signal: controller.signal,
    })
    if (response.status !== 200) {
      throw new Error(`${response.status} ${await response.text()}`)
    }
    return new StreamReader(response, controller)
  }

  get types(): (string | null)[] {
    return this.messages.map(({ event }) => event)
  }

  close(): void {
    this.#controller.abort()
  }

  async #read(response: Response): Promise<void> {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body! as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop()!
      parts.forEach((part) => this.#take(part))
    }
  }

  #take(part: string): void {
    const fields = new Map(
      part
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
    )
    this.lastId = fields.get('id') ?? this.lastId
    const data = fields.get('data')
    if (data !== undefined) {
      const [id, event] = [fields.get('id') ?? null, fields.get('event') ?? null]
      this.messages.push({ id, event, data: JSON.parse(data) as VisibleEvent })
    }
  }
}

/** Returns all events after an event. */
export async function eventsSince(
  who: { key: string },
  after: string,
  query = ''
): Promise<Message[]> {
  const reader = await StreamReader.open(who, `?follow=false${query}`, { lastEventId: after })
  await reader.ended
  return reader.messages
}
