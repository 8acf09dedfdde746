import { once } from 'node:events'
import { request } from 'node:http'

/** Returns an `Authorization` header value for HTTP Basic. */
export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** Sends a request to a server, optionally from another local address. */
export async function ask(
  url: string,
  headers: Record<string, string>,
  { from = '127.0.0.1', method = 'GET' } = {}
): Promise<{ status: number; challenge: string | undefined; text: string }> {
  const call = request(url, { method, headers, localAddress: from, agent: false })
  call.end()
  const [answer] = await once(call, 'response')
  let text = ''
  for await (const part of answer.setEncoding('utf8')) {
    text += part
  }
  return { status: answer.statusCode, challenge: answer.headers['www-authenticate'], text }
}
