import type { IncomingMessage } from 'node:http'
import type { HttpContext } from '@adonisjs/core/http'
import api from '#config/api'
import { lineOfBadUtf8 } from '#exceptions/not_utf8'
import { Refusal, invalid } from '#exceptions/refusal'

/**
 * How much of a too large body is still read, and for how long, before the connection is closed.
 */
const MAX_DROPPED_BYTES = 67_108_864
const MAX_DROPPING_MS = 5_000

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** The body after it was read; see `bodyText`. */
    bodyText?: string
  }
}

/**
 * The body of the request as text. It is read once, at the first call, which must follow the
 * authentication. Throws as `readText` does.
 */
export async function bodyText(ctx: HttpContext): Promise<string> {
  const { request, response } = ctx
  ctx.bodyText ??= await readText(request.request, () => response.header('Connection', 'close'))
  return ctx.bodyText
}

/**
 * Reads a request body as UTF-8 text of at most `api.max_body_bytes`. A larger one is read and
 * dropped, so that the connection stays usable; `onTooLarge` is called if it exceeds that limit, too.
 * Throws 413 for a too large body, 415 for a compressed one and 400 for invalid UTF-8.
 */
async function readText(request: IncomingMessage, onTooLarge: () => void): Promise<string> {
  const limit = { maxBytes: api.max_body_bytes, setting: 'api.max_body_bytes' }
  const bytes = await readBytes(request, limit, onTooLarge)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const line = lineOfBadUtf8(bytes)
    throw invalid(`Request body is not UTF-8 text: line ${line} has invalid bytes`)
  }
}

/** As `readText`, for any bytes with another limit; `shownLimit` is the limit in the message. */
export async function readBytes(
  request: IncomingMessage,
  {
    maxBytes,
    setting,
    shownLimit = maxBytes,
  }: { maxBytes: number; setting: string; shownLimit?: number },
  onTooLarge: () => void
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
    if (size <= maxBytes) {
      parts.push(part)
    } else if (size > maxBytes + MAX_DROPPED_BYTES || Date.now() - started > MAX_DROPPING_MS) {
      onTooLarge()
      break
    }
  }
  if (size > maxBytes) {
    throw new Refusal(413, `Request body is larger than ${shownLimit} bytes (${setting})`)
  }
  return Buffer.concat(parts)
}
