import { request as overHttp, type ClientRequest, type RequestOptions } from 'node:http'
import { request as overHttps } from 'node:https'
import { isInNetworks, parseNetworks } from '#dns/addresses/networks'
import { isPublicAddress } from '#dns/addresses/special_networks'
import { addressOf, guardedLookup } from '#support/guarded_lookup'

/** Maximum number of bytes of a response that are read; the content is ignored. */
const MAX_RESPONSE_BYTES = 64 * 1024

/** Allowed addresses, and the timeout. */
export interface PostOptions {
  /** Allowed networks in addition to public addresses. */
  allowedNetworks: readonly string[]
  timeoutMs: number
  /** Ends the call early. */
  signal: AbortSignal
}

/** No response; the message explains the cause to the owner of the webhook. */
export class NotReached extends Error {}

/** Whether a webhook may call the address. */
export function isAllowedAddress(address: string, allowedNetworks: readonly string[]): boolean {
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
  { allowedNetworks, timeoutMs, signal }: PostOptions
): Promise<number> {
  const address = addressOf(url)
  if (address !== null && !isAllowedAddress(address, allowedNetworks)) {
    throw addressRefused(address)
  }
  const endSignal = AbortSignal.any([AbortSignal.timeout(timeoutMs), signal])
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
    // No connection is reused: it may lead to an address that was checked for another name.
    agent: false,
    lookup: guardedLookup((found) => isAllowedAddress(found, allowedNetworks), addressRefused),
  }
  const send = url.protocol === 'https:' ? overHttps : overHttp
  try {
    endSignal.throwIfAborted()
    const request = send(url, options)
    const answer = waitForStatus(request, endSignal)
    request.end(body)
    return await answer
  } catch (error) {
    throw error instanceof NotReached ? error : new NotReached(reasonOf(error, timeoutMs))
  }
}

/** The status of the answer, after its body was read. Settles when `endSignal` is aborted, whatever the request does. */
function waitForStatus(request: ClientRequest, endSignal: AbortSignal): Promise<number> {
  return new Promise<number>((resolve, reject) => {
    endSignal.addEventListener(
      'abort',
      () => {
        reject(endSignal.reason as Error)
        request.destroy()
      },
      { once: true }
    )
    let isAnswered = false
    request.once('response', (response) => {
      isAnswered = true
      let bytes = 0
      const end = () => {
        resolve(response.statusCode ?? 0)
        response.destroy()
      }
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MAX_RESPONSE_BYTES) end()
      })
      response.once('end', end)
      response.on('error', reject)
    })
    // The request has no Upgrade header. Node ends it without a response event.
    request.once('upgrade', (response, socket) => {
      resolve(response.statusCode ?? 0)
      socket.destroy()
    })
    request.on('error', reject)
    request.once('close', () => {
      if (!isAnswered) reject(new NotReached('The connection was closed without an answer'))
    })
  })
}

function addressRefused(address: string): NotReached {
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
