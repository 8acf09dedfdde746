import type { ApiClient } from '@japa/api-client'

/** A response of the service, of any shape. */
export interface Answer {
  status: number
  text: string
  /** Parsed body if it is JSON, else null. */
  body: any
  header(name: string): string | undefined
}

/**
 * Sends a request. Paths are relative to /api/v2. Paths that begin with `/api/` or `//` (one slash too many) are sent
 * unchanged.
 */
export type Ask = (
  method: string,
  path: string,
  body?: object | string,
  headers?: Record<string, string>
) => Promise<Answer>

type Headers = Record<string, string>

function urlOf(path: string): string {
  if (path.startsWith('/api/')) return path
  return path.startsWith('//') ? path.slice(1) : `/api/v2${path}`
}

function parsed(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Sends requests to the server under test, and validates its responses against the OpenAPI description. */
export function asking(client: ApiClient, credentials: Headers): Ask {
  return async (method, path, body, headers = {}) => {
    if (typeof body === 'string') {
      return askingAt(`http://${process.env.HOST}:${process.env.PORT}`, credentials)(
        method,
        path,
        body,
        headers
      )
    }
    const request = client.request(urlOf(path), method)
    for (const [name, value] of Object.entries({ ...credentials, ...headers })) {
      request.header(name, value)
    }
    const response = await (body === undefined ? request : request.json(body))
    const text = response.text() ?? ''
    return {
      status: response.status(),
      text,
      body: parsed(text) ?? response.body(),
      header: (name) => response.header(name) as string | undefined,
    }
  }
}

/** Sends requests to the server at an address. Objects are sent as JSON, strings unchanged. */
export function askingAt(base: string, credentials: Headers): Ask {
  return async (method, path, body, headers = {}) => {
    const json: Headers = typeof body === 'object' ? { 'content-type': 'application/json' } : {}
    const response = await fetch(`${base}${urlOf(path)}`, {
      method,
      redirect: 'manual',
      headers: { ...json, ...credentials, ...headers },
      body: typeof body === 'object' ? JSON.stringify(body) : body,
    })
    const text = await response.text()
    return {
      status: response.status,
      text,
      body: parsed(text),
      header: (name) => response.headers.get(name) ?? undefined,
    }
  }
}
