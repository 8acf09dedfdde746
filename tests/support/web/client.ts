import { baseUrl } from '#tests/support/app/api'
import type { Person } from '#tests/support/app/people/people'

/** A headless browser: it stores cookies, and sends forms as pages do. */
export class WebClient {
  readonly #cookies = new Map<string, string>()

  /** @param base URL of the server; the server of this run by default */
  constructor(private readonly base: string = baseUrl()) {}

  /** Names of its cookies. */
  get cookies(): string[] {
    return [...this.#cookies.keys()]
  }

  /** Its `Cookie` header. */
  get cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Returns a second client with the same cookies. */
  twin(): WebClient {
    const otherVisitor = new WebClient(this.base)
    for (const [name, value] of this.#cookies) otherVisitor.#cookies.set(name, value)
    return otherVisitor
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Page> {
    return this.#send(path, { headers })
  }

  /** Sends a form with the token of its page. */
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

  /** Sends a body unchanged, with any content type. */
  postBody(path: string, headers: Record<string, string>, body: string | Buffer): Promise<Page> {
    return this.#send(path, { method: 'POST', headers, body: new Uint8Array(Buffer.from(body)) })
  }

  /** Sends form fields as JSON, as scripts may. */
  postJson(path: string, fields: object): Promise<Page> {
    const headers = { 'content-type': 'application/json' }
    return this.#send(path, { method: 'POST', headers, body: JSON.stringify(fields) })
  }

  /** Sends a form with files and the token of its page. */
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

  /** Returns the status of a page, or with `form` the status of a form without fields. */
  async statusOf(path: string, form?: { token: string | null }): Promise<number> {
    const { status } = form ? await this.post(path, {}, form) : await this.get(path)
    return status
  }

  /** Returns the status of a form that is sent from a page. */
  async sent(
    path: string,
    fields: Record<string, string | string[]>,
    from = path
  ): Promise<number> {
    const { status } = await this.post(path, fields, { from })
    return status
  }

  /** Returns the version tag in the form of a page. */
  async tagAt(path: string): Promise<string> {
    const page = await this.get(path)
    return page.hidden('tag')
  }

  /** Returns the token of the forms of a page. */
  async tokenOn(path: string): Promise<string | null> {
    const { token } = await this.get(path)
    return token
  }

  /** Signs a user in. */
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
    // Follows the redirect to the result of a form, as a browser does.
    if (response.status === 303 && location?.includes('/results/')) {
      return this.get(location)
    }
    return new Page(response, await response.text(), setCookies)
  }
}

/** Returns a signed-in client of the user. */
export async function signedIn(who: Pick<Person, 'username' | 'password'>): Promise<WebClient> {
  const client = new WebClient()
  await client.signIn(who)
  return client
}

/** Returns the status of a pending page. */
export async function statusOfPage(page: Promise<Page>): Promise<number> {
  const { status } = await page
  return status
}

/** A response of the web interface. */
export class Page {
  readonly status: number
  readonly headers: Headers
  /** Path and query of the page. */
  readonly path: string
  /** Target of the redirect. */
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

  /** Returns the value of a hidden field; '' without the field. */
  hidden(name: string): string {
    const field = new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(this.html)
    return unescaped(field?.[1] ?? '')
  }

  /** Returns the value of a text field. */
  typed(name: string): string {
    const field = new RegExp(`<textarea name="${name}"[^>]*>\\n?([^<]*)</textarea>`).exec(this.html)
    return unescaped(field?.[1] ?? '')
  }

  /** The token of the forms; null on a page without one. */
  get token(): string | null {
    return /name='_csrf' value='([^']+)'/.exec(this.html)?.[1] ?? null
  }
}

/** Decodes HTML entities. */
export function unescaped(text: string): string {
  return text
    .replaceAll(/&quot;|&#34;/g, '"')
    .replaceAll(/&#39;|&#x27;/g, "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** Returns true if no submitted text became an element. */
export function isEscaped(html: string): boolean {
  return !/<img src=x/i.test(html)
}
