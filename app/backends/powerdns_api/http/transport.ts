import * as http from 'node:http'
import * as https from 'node:https'
import { checkCallable, pinnedLookup } from '#backends/powerdns_api/http/server_address'

/** One request with its limits. */
export interface HttpExchange {
  method: string
  url: URL
  headers: Record<string, string>
  body?: string
  /** Time-out in seconds, including the wait for a connection. */
  timeout: number
  /** Maximum size of the answer in bytes. */
  maxBytes: number
  signal?: AbortSignal
}

/** An answer with any status. */
export interface RawAnswer {
  status: number
  text: string
}

/**
 * Why there is no answer: network error, time-out, abort by the caller (`given up`), an answer that is not read
 * (`unwanted`), or no free connection in time (`busy`).
 */
export type NoAnswerKind = 'network' | 'timeout' | 'given up' | 'unwanted' | 'busy'

/** No readable answer. The message is short and contains no addresses and no secrets. */
export class NoAnswer extends Error {
  constructor(
    readonly kind: NoAnswerKind,
    message: string
  ) {
    super(message)
  }
}

const MAX_CONNECTIONS = 8

/**
 * HTTP connections to one server. Reads share a few persistent connections. Each write opens one: the server may just have
 * closed a persistent one, and the outcome of the write would be unknown.
 */
export class Transport {
  readonly #agents = {
    'http:': createAgents(http.Agent),
    'https:': createAgents(https.Agent),
  }

  /** Sends the request and reads the whole answer. Follows no redirects. Throws `NoAnswer`. */
  async exchange(request: HttpExchange): Promise<RawAnswer> {
    const limit = AbortSignal.timeout(Math.ceil(request.timeout * 1000))
    const signal = request.signal ? AbortSignal.any([request.signal, limit]) : limit
    try {
      const response = await this.#send(request, signal)
      const status = response.statusCode ?? 0
      if (status >= 300 && status <= 399) {
        response.destroy()
        throw new NoAnswer('unwanted', 'unexpected redirect')
      }
      return { status, text: await readText(response, request.maxBytes) }
    } catch (error) {
      if (error instanceof NoAnswer) {
        throw error
      }
      if (limit.aborted) {
        throw new NoAnswer('timeout', `not within ${request.timeout} seconds`)
      }
      // The error itself is not passed on: it may contain the key.
      throw request.signal?.aborted
        ? new NoAnswer('given up', 'the call was cancelled')
        : new NoAnswer('network', reasonOf(error))
    }
  }

  #send(
    { method, url, headers, body, timeout, signal: callerSignal }: HttpExchange,
    signal: AbortSignal
  ): Promise<http.IncomingMessage> {
    const scheme = url.protocol === 'https:' ? 'https:' : 'http:'
    const agent = this.#agents[scheme][method === 'GET' ? 'reads' : 'writes']
    const { request } = scheme === 'https:' ? https : http
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      checkCallable(url)
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
      const call = request(url, { method, agent, signal, headers: { ...headers, ...length } })
      // A call that waits for a connection, or whose connection was upgraded, emits no end.
      const onEnd = () => {
        const isQueued = !call.socket && !callerSignal?.aborted
        reject(
          isQueued
            ? new NoAnswer('busy', `no free connection within ${timeout} seconds`)
            : signal.reason
        )
      }
      signal.addEventListener('abort', onEnd, { once: true })
      call.once('response', resolve)
      call.once('upgrade', (_response, socket) => {
        socket.destroy()
        reject(new NoAnswer('unwanted', 'unexpected upgrade'))
      })
      call.on('error', reject)
      call.once('close', () => {
        signal.removeEventListener('abort', onEnd)
        reject(new NoAnswer('network', 'connection closed'))
      })
      call.end(body)
    })
  }
}

function createAgents(Agent: typeof http.Agent | typeof https.Agent) {
  return {
    reads: new Agent({
      keepAlive: true,
      maxSockets: MAX_CONNECTIONS,
      maxFreeSockets: 2,
      lookup: pinnedLookup,
    }),
    writes: new Agent({ keepAlive: false, maxSockets: MAX_CONNECTIONS, lookup: pinnedLookup }),
  }
}

async function readText(response: http.IncomingMessage, maxBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxBytes) {
      response.destroy()
      throw new NoAnswer('unwanted', `more than ${maxBytes} bytes`)
    }
    parts.push(part)
  }
  if (!response.complete) {
    throw new NoAnswer('network', 'connection closed')
  }
  return Buffer.concat(parts).toString('utf8')
}

/** `ECONNREFUSED` and similar codes; other texts may contain anything. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(E[A-Z]+|HPE_[A-Z_]+|CERT_[A-Z_]+|[A-Z]+_CERT[A-Z_]*)$/.test(code)
    ? code
    : 'the call failed'
}
