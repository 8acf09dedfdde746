import { ask, basic } from '#tests/support/app/people/basic'
import { baseUrl } from '#tests/support/app/api'
import type { Person } from '#tests/support/app/people/people'

export const AGENT = 'ddclient/3.10.0'

/** Options of a client's request. */
export interface DyndnsCall {
  path?: string
  method?: string
  headers?: Record<string, string>
  /** Local address of the client's socket. */
  from?: string
  url?: string
}

/** Returns a client of the endpoint with a user's password by HTTP Basic. */
export function dyndnsClient({ username, password }: Pick<Person, 'username' | 'password'>) {
  return async (query: string, call: DyndnsCall = {}): Promise<string> => {
    const { text } = await dyndnsCall(query, {
      ...call,
      headers: { authorization: basic(username, password), ...call.headers },
    })
    return text
  }
}

/** Sends one request. `headers` or the query contain the credentials. */
export function dyndnsCall(query: string, call: DyndnsCall = {}) {
  const { path = '/nic/update', method, headers = {}, from, url = baseUrl() } = call
  const target = query === '' ? path : `${path}?${query}`
  return ask(url + target, { 'user-agent': AGENT, ...headers }, { from, method })
}
