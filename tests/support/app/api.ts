import type { ApiClient, ApiRequest } from '@japa/api-client'

/** API calls of one caller. Paths are relative to /api/v2. */
export interface Caller {
  get(path: string): ApiRequest
  post(path: string, body: object): ApiRequest
  put(path: string, body: object): ApiRequest
  patch(path: string, body: object): ApiRequest
  delete(path: string, body?: object): ApiRequest
  /** Sends a body with any method. */
  send(method: string, path: string, body: object): ApiRequest
}

/** Returns API calls with the given key. */
export function caller(client: ApiClient, { key }: { key: string }): Caller {
  const call = (method: string, path: string) =>
    client.request(`/api/v2${path}`, method).header('x-api-key', key)
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path).json(body),
    put: (path, body) => call('PUT', path).json(body),
    patch: (path, body) => call('PATCH', path).json(body),
    delete: (path, body) => (body ? call('DELETE', path).json(body) : call('DELETE', path)),
    send: (method, path, body) => call(method, path).json(body),
  }
}

/** URL of the server under test, for requests that the test client cannot send. */
export function baseUrl(): string {
  return `http://${process.env.HOST}:${process.env.PORT}`
}

/** Creates a zone and returns its id and name. */
export async function createZone(
  as: Caller,
  input: { name: string } & Record<string, unknown>
): Promise<{ id: number; name: string }> {
  const response = await as.post('/zones', input)
  response.assertStatus(201)
  return { id: response.body().data.zone_id, name: input.name }
}

/** Creates a record and returns the record of the response. */
export async function createRecord(
  as: Caller,
  zone: { id: number },
  input: { name: string; type: string; content: string } & Record<string, unknown>
) {
  const response = await as.post(`/zones/${zone.id}/records`, input)
  response.assertStatus(201)
  return response.body().data.record
}

/** Sends the request and asserts the status. */
export async function expectStatus(call: ApiRequest, status: number): Promise<void> {
  const response = await call
  response.assertStatus(status)
}

/**
 * Sends the request and returns the member of `data` at a path such as 'records.0.ttl'. An empty path returns all of `data`.
 */
export async function dataOf(call: ApiRequest, path = '') {
  const response = await call
  const members = path.split('.').filter(Boolean)
  return members.reduce((value, member) => value[member], response.body().data)
}

/** Returns the status of a pending response. */
export async function statusOf(call: Promise<{ status: number }>): Promise<number> {
  const { status } = await call
  return status
}
