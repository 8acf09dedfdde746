import type { IncomingMessage } from 'node:http'
import type { HttpContext } from '@adonisjs/core/http'
import api from '#config/api'
import { lineOfBadUtf8 } from '#exceptions/not_utf8'
import { Refusal, invalid } from '#exceptions/refusal'

/** How much of a body that is too large is still read, and for how long, before the connection is cut. */
const DROPPED_BYTES = 67_108_864
const DROPPING_MS = 5_000

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** The body, once it was read; see `bodyText`. */
    bodyText?: string
  }
}

/**
 * The body of the request as text. It is read once, by whoever asks first: only ask after the caller is
 * known. Throws as `readText` does.
 */
export async function bodyText(ctx: HttpContext): Promise<string> {
  const { request, response } = ctx
  ctx.bodyText ??= await readText(request.request, () => response.header('Connection', 'close'))
  return ctx.bodyText
}

/**
 * Reads a request body as UTF-8 text of at most `api.max_body_bytes`. A larger one is read on and dropped,
 * so that the caller gets the answer and can use the connection again; `giveUp` is called when there is
 * too much of it for that.
 *
 * Throws a 413 for a body that is too large, a 415 for a compressed one and a 400 for other than UTF-8.
 */
async function readText(request: IncomingMessage, giveUp: () => void): Promise<string> {
  const bound = { most: api.max_body_bytes, setting: 'api.max_body_bytes' }
  const bytes = await readBytes(request, bound, giveUp)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const line = lineOfBadUtf8(bytes)
    throw invalid(`Request body is not UTF-8 text: line ${line} has other bytes`)
  }
}

/** As `readText`, for a body that may be anything, with a bound of its own; `told` is the one that the setting says. */
export async function readBytes(
  request: IncomingMessage,
  { most, setting, told = most }: { most: number; setting: string; told?: number },
  giveUp: () => void
): Promise<Buffer<ArrayBuffer>> {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    throw new Refusal(415, 'Compressed request bodies are not accepted')
  }
  const parts: Buffer[] = []
  const started = Date.now()
  let size = 0
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += part.length
    if (size <= most) {
      parts.push(part)
    } else if (size > most + DROPPED_BYTES || Date.now() - started > DROPPING_MS) {
      giveUp()
      break
    }
  }
  if (size > most) {
    throw new Refusal(413, `Request body is larger than ${told} bytes (${setting})`)
  }
  return Buffer.concat(parts)
}
