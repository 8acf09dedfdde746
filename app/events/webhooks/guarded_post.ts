import { request as overHttp, type ClientRequest, type RequestOptions } from 'node:http'
import { request as overHttps } from 'node:https'
import { isInNetworks, parseNetworks } from '#dns/addresses/networks'
import { isPublicAddress } from '#dns/addresses/special_networks'
import { addressOf, guardedLookup } from '#support/guarded_lookup'

/** No more of an answer is read; nothing is done with it. */
const MAX_ANSWER_BYTES = 64 * 1024

/** Allowed addresses, and the timeout. */
export interface PostTerms {
  /** Allowed networks in addition to public addresses. */
  allowedNetworks: readonly string[]
  timeoutMs: number
  /** Ends the call early. */
  signal: AbortSignal
}

/** Why there was no answer, as text for the owner of the webhook. */
export class NotReached extends Error {}

/** Whether a webhook may call the address. */
export function mayReach(address: string, allowedNetworks: readonly string[]): boolean {
  return isPublicAddress(address) || isInNetworks(address, parseNetworks(allowedNetworks))
}

/**
 * Sends a body to a URL that a user chose, and returns the status of the answer. Connects to public addresses and allowed
 * networks only: looks up the name once, checks every address, and connects to one of these. Does not follow redirects. Throws
 * `NotReached`.
 */
export async function guardedPost(
  url: URL,
  body: string,
  headers: Record<string, string>,
  { allowedNetworks, timeoutMs, signal }: PostTerms
): Promise<number> {
  const address = addressOf(url)
  if (address !== null && !mayReach(address, allowedNetworks)) {
    throw refused(address)
  }
  const ended = AbortSignal.any([AbortSignal.timeout(timeoutMs), signal])
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
    // No connection of before, which may lead to an address that was judged for another name.
    agent: false,
    lookup: guardedLookup((found) => mayReach(found, allowedNetworks), refused),
  }
  const send = url.protocol === 'https:' ? overHttps : overHttp
  try {
    ended.throwIfAborted()
    const request = send(url, options)
    const answer = statusOf(request, ended)
    request.end(body)
    return await answer
  } catch (error) {
    throw error instanceof NotReached ? error : new NotReached(reasonOf(error, timeoutMs))
  }
}

/** The status of the answer, after its body was read. Settles when `ended` is aborted, whatever the request does. */
function statusOf(request: ClientRequest, ended: AbortSignal): Promise<number> {
  return new Promise<number>((done, fail) => {
    ended.addEventListener(
      'abort',
      () => {
        fail(ended.reason as Error)
        request.destroy()
      },
      { once: true }
    )
    let isAnswered = false
    request.once('response', (response) => {
      isAnswered = true
      let bytes = 0
      const end = () => {
        done(response.statusCode ?? 0)
        response.destroy()
      }
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MAX_ANSWER_BYTES) end()
      })
      response.once('end', end)
      response.on('error', fail)
    })
    // The request has no Upgrade header. Node ends it without a response event.
    request.once('upgrade', (response, socket) => {
      done(response.statusCode ?? 0)
      socket.destroy()
    })
    request.on('error', fail)
    request.once('close', () => {
      if (!isAnswered) fail(new NotReached('The connection was closed without an answer'))
    })
  })
}

function refused(address: string): NotReached {
  return new NotReached(`${address} is not a public address, and not in webhooks.allowed_networks`)
}

/** The error as text without details of this machine. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) {
    return 'The call failed'
  }
  if (error.name === 'TimeoutError' || error.name === 'AbortError') {
    return `No answer within ${timeoutMs / 1_000} seconds`
  }
  const code = 'code' in error ? String(error.code) : error.name
  return `The call failed: ${code}`
}
