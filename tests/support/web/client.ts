import { baseUrl } from '#tests/support/app/api'
import type { Person } from '#tests/support/app/people/people'

/** A browser without a screen: it keeps cookies, and sends forms as pages make them. */
export class WebClient {
  readonly #cookies = new Map<string, string>()

  /** @param base address of the server; that of this run by default */
  constructor(private readonly base: string = baseUrl()) {}

  /** Names of the cookies that it has. */
  get cookies(): string[] {
    return [...this.#cookies.keys()]
  }

  /** Its cookies, as it sends them. */
  get cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** The same cookies in another window. */
  twin(): WebClient {
    const other = new WebClient(this.base)
    for (const [name, value] of this.#cookies) other.#cookies.set(name, value)
    return other
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Page> {
    return this.#send(path, { headers })
  }

  /** Sends a form, with the token of the page that it is on. */
  async post(
    path: string,
    fields: Record<string, string | string[]> = {},
    {
      from = path,
      token,
      headers,
    }: { from?: string; token?: string | null; headers?: Record<string, string> } = {}
  ): Promise<Page> {
    const csrf = token === undefined ? await this.tokenOn(from) : token
    const form = new URLSearchParams()
    if (csrf) form.set('_csrf', csrf)
    for (const [name, value] of Object.entries(fields)) {
      for (const one of [value].flat()) form.append(name, one)
    }
    return this.#send(path, { method: 'POST', body: form, headers })
  }

  /** Sends a body as it is, of whatever content type. */
  postBody(path: string, headers: Record<string, string>, body: string | Buffer): Promise<Page> {
    return this.#send(path, { method: 'POST', headers, body: new Uint8Array(Buffer.from(body)) })
  }

  /** Sends the fields of a form as JSON, as scripts may. */
  postJson(path: string, fields: object): Promise<Page> {
    const headers = { 'content-type': 'application/json' }
    return this.#send(path, { method: 'POST', headers, body: JSON.stringify(fields) })
  }

  /** Sends a form with files, with the token of the page that it is on. */
  async upload(
    path: string,
    fields: Record<string, string | File>,
    { from }: { from: string }
  ): Promise<Page> {
    const form = new FormData()
    form.set('_csrf', (await this.tokenOn(from)) ?? '')
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    return this.#send(path, { method: 'POST', body: form })
  }

  /** Status of a page; of a form without fields that is sent, where a token is given. */
  async statusOf(path: string, form?: { token: string | null }): Promise<number> {
    const { status } = form ? await this.post(path, {}, form) : await this.get(path)
    return status
  }

  /** Status of a form that is sent from a page. */
  async sent(
    path: string,
    fields: Record<string, string | string[]>,
    from = path
  ): Promise<number> {
    const { status } = await this.post(path, fields, { from })
    return status
  }

  /** What a page holds of an object, for the form that changes it. */
  async tagAt(path: string): Promise<string> {
    const page = await this.get(path)
    return page.hidden('tag')
  }

  /** The token of the forms of a page. */
  async tokenOn(path: string): Promise<string | null> {
    const { token } = await this.get(path)
    return token
  }

  /** Signs somebody in. */
  signIn({ username, password }: Pick<Person, 'username' | 'password'>, more = {}): Promise<Page> {
    return this.post('/login', { username, password, ...more })
  }

  async #send(path: string, init: RequestInit): Promise<Page> {
    const cookie = this.cookieHeader
    const response = await fetch(`${this.base}${path}`, {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', ...init.headers, ...(cookie ? { cookie } : {}) },
    })
    const setCookies = response.headers.getSetCookie()
    for (const line of setCookies) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    const location = response.headers.get('location')
    // The page that a form was answered with: a browser is there before anybody sees where it was led.
    if (response.status === 303 && location?.includes('/results/')) {
      return this.get(location)
    }
    return new Page(response, await response.text(), setCookies)
  }
}

/** Somebody who signed in. */
export async function inside(who: Pick<Person, 'username' | 'password'>): Promise<WebClient> {
  const client = new WebClient()
  await client.signIn(who)
  return client
}

/** The status of a page that is on its way. */
export async function answered(page: Promise<Page>): Promise<number> {
  const { status } = await page
  return status
}

/** What came of a request. */
export class Page {
  readonly status: number
  readonly headers: Headers
  /** Where it is, without the server. */
  readonly path: string
  /** Where it sends the browser. */
  readonly location: string | null

  constructor(
    response: Response,
    readonly html: string,
    readonly setCookies: string[]
  ) {
    this.status = response.status
    this.headers = response.headers
    this.path = response.url.replace(/^https?:\/\/[^/]*/, '')
    this.location = response.headers.get('location')
  }

  /** What a hidden field of its forms sends; '' where there is none of that name. */
  hidden(name: string): string {
    const field = new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(this.html)
    return unescaped(field?.[1] ?? '')
  }

  /** What stands in the text field of that name. */
  typed(name: string): string {
    const field = new RegExp(`<textarea name="${name}"[^>]*>\\n?([^<]*)</textarea>`).exec(this.html)
    return unescaped(field?.[1] ?? '')
  }

  /** The token of its forms; null on a page without one. */
  get token(): string | null {
    return /name='_csrf' value='([^']+)'/.exec(this.html)?.[1] ?? null
  }
}

/** Text as it stood before it became HTML. */
export function unescaped(text: string): string {
  return text
    .replaceAll(/&quot;|&#34;/g, '"')
    .replaceAll(/&#39;|&#x27;/g, "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** Whether nothing of what was typed became an element. */
export function unscripted(html: string): boolean {
  return !/<img src=x/i.test(html)
}
