import createClient, { type Client, type Middleware } from 'openapi-fetch'
import type { paths } from '#tests/support/openapi/api_types'
import { DescribedAnswers } from '#tests/support/openapi/described_answers'

/** The API with the types of its description: a call or member that it does not have does not compile. */
export type TypedClient = Client<paths, 'application/json'>

/** What openapi-fetch answers. */
export interface TypedAnswer<T> {
  data?: T
  error?: unknown
  response: Response
}

/** What stands in `data` of answers that succeed. */
type DataOf<T> = T extends { data: infer D } ? D : never
type MemberOf<D> = D extends unknown ? keyof D : never

let answers: DescribedAnswers | undefined

/**
 * The API of a server as the holder of a key sees it. Every call is told to `onCall`, as `GET /zones/{id}`; every
 * answer has to be what the description says.
 */
export function typedClient(
  url: string,
  key: string,
  onCall: (call: string) => void = () => {}
): TypedClient {
  const client = createClient<paths, 'application/json'>({
    baseUrl: `${url}/api`,
    headers: { 'X-API-Key': key },
  })
  client.use(describedOnly(onCall))
  return client
}

function describedOnly(onCall: (call: string) => void): Middleware {
  return {
    async onResponse({ request, response, schemaPath }) {
      onCall(`${request.method} ${schemaPath.slice('/v2'.length)}`)
      const isJson = response.headers.get('content-type')?.includes('json') ?? false
      const text = isJson ? await response.clone().text() : ''
      const body: unknown = text === '' ? undefined : JSON.parse(text)
      answers ??= new DescribedAnswers()
      const problem = answers.problemWith(
        request.method,
        `/api${schemaPath}`,
        response.status,
        body
      )
      if (problem) {
        throw new Error(`The description of the API does not fit. ${problem}`)
      }
    },
  }
}

/** A member of `data` of an answer that has to succeed. */
export async function take<T, K extends MemberOf<DataOf<T>>>(
  call: Promise<TypedAnswer<T>>,
  member: K
): Promise<Extract<DataOf<T>, Record<K, unknown>>[K]> {
  const { data } = (await succeed(call)) as { data: object }
  if (!Object.hasOwn(data, member)) {
    throw new Error(`The answer has no '${String(member)}': ${JSON.stringify(data)}`)
  }
  return (data as Extract<DataOf<T>, Record<K, unknown>>)[member]
}

/** The body of an answer that has to succeed. */
export async function succeed<T>(call: Promise<TypedAnswer<T>>): Promise<T> {
  const { data, error, response } = await call
  if (!response.ok) {
    throw new Error(`${response.status} ${response.url}: ${JSON.stringify(error)}`)
  }
  return data as T
}

/** Status and message of an answer that has to be a refusal. */
export async function refusalOf(
  call: Promise<TypedAnswer<unknown>>
): Promise<{ status: number; message: string }> {
  const { error, response } = await call
  if (response.ok) {
    throw new Error(`${response.status} ${response.url} is no refusal`)
  }
  return { status: response.status, message: (error as { message: string }).message }
}
