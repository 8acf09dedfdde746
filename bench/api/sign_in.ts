import { PASSWORD, type Caller } from './scene.ts'

/** Signs a user in to the web interface as a browser does. Returns the cookies. Throws if the sign-in fails. */
export async function signIn(port: number, { username }: Caller): Promise<string> {
  const cookies = new Map<string, string>()
  const header = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const send = async (init: RequestInit) => {
    const headers = { accept: 'text/html', cookie: header() }
    const url = `http://127.0.0.1:${port}/login`
    const answer = await fetch(url, { ...init, redirect: 'manual', headers })
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return { status: answer.status, html: await answer.text() }
  }
  const { html } = await send({})
  const token = /name='_csrf' value='([^']+)'/.exec(html)?.[1] ?? ''
  const form = new URLSearchParams({ _csrf: token, username, password: PASSWORD })
  const { status } = await send({ method: 'POST', body: form })
  if (status !== 303) throw new Error(`Signing in answered ${status}`)
  return header()
}
