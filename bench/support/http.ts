import { once } from 'node:events'
import { Agent, request } from 'node:http'

/** Sends one request at a time over one keep-alive connection. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  constructor(private readonly url: string) {}

  /** Milliseconds until the response is complete. Throws if its status is not the expected one. */
  async time(path: string, headers: Record<string, string>, expected: number): Promise<number> {
    const since = performance.now()
    const call = request(`${this.url}${path}`, { headers, agent: this.#agent })
    call.end()
    const [answer] = await once(call, 'response')
    answer.resume()
    await once(answer, 'end')
    const ms = performance.now() - since
    if (answer.statusCode !== expected) {
      throw new Error(`${path} answered ${answer.statusCode}, not ${expected}`)
    }
    return ms
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** The quantile `part` of the values, from 0 to below 1. */
export function quantile(values: number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)]
}

/** The header value of HTTP Basic authentication. */
export function basic({ username, password }: { username: string; password: string }) {
  const text = Buffer.from(`${username}:${password}`).toString('base64')
  return { authorization: `Basic ${text}` }
}
