import type { Page, WebClient } from '#tests/support/web/client'
import type { ApiClient, ApiResponse } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { approval, type ApprovalSettings } from '#access/approval'
import type { Permission } from '#access/permissions'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'

/** Applies review settings while the tests of a group run. */
export function withReview(settings: Partial<ApprovalSettings> = {}): () => () => void {
  return () => approval.fake({ enabled: true, ...settings })
}

/** Runs `work` with other review settings. */
export async function withReviewSettings<T>(
  settings: Partial<ApprovalSettings>,
  work: () => Promise<T>
): Promise<T> {
  const end = approval.fake({ enabled: true, ...settings })
  try {
    return await work()
  } finally {
    end()
  }
}

export interface Reviewed {
  zone: { id: number; name: string }
  root: Caller
  admin: Person
  /** A user who sees the zone and may only request changes. */
  requester: Person
  asRequester: Caller
  /** A user who owns the zone, edits it and approves changes. */
  reviewer: Person
  asReviewer: Caller
  /** Ids of the records of `www`: 192.0.2.1 and 192.0.2.2. */
  www: number[]
}

/** Creates a zone with two address records at `www`, a requester, and a reviewer. */
export async function reviewScene(client: ApiClient): Promise<Reviewed> {
  const admin = await administrator()
  const root = caller(client, admin)
  const zone = await createZone(root, { name: zoneNamed('reviewed') })
  const www: number[] = []
  for (const content of ['192.0.2.1', '192.0.2.2']) {
    const { id } = await createRecord(root, zone, { name: 'www', type: 'A', content, ttl: 300 })
    www.push(id)
  }
  const requester = await owner(zone, ['zone_content_view_own', 'zone_change_request_own'])
  const reviewer = await owner(zone, [
    'zone_content_view_own',
    'zone_content_edit_own',
    'zone_delete_own',
    'zone_change_approve_own',
  ])
  const asRequester = caller(client, requester)
  const asReviewer = caller(client, reviewer)
  return { zone, root, admin, requester, asRequester, reviewer, asReviewer, www }
}

/** Creates a user who owns the zone with these permissions. */
export async function owner(zone: { id: number }, permissions: Permission[]): Promise<Person> {
  const someUser = await person({ permissions })
  const created = new Date().toISOString()
  await db
    .table('zw_zone_owners')
    .insert({ zone_id: zone.id, user_id: someUser.id, created_at: created })
  return someUser
}

/** Sends actions and asserts that the outcome is `filed`. */
export async function createChangeRequests(
  as: Caller,
  zone: { id: number },
  actions: object[],
  overrides: object = {}
) {
  const response = await as.post(`/zones/${zone.id}/change-requests`, { actions, ...overrides })
  want(response, 201)
  const { change_requests: requests } = response.body().data
  return requests as { id: number; status: string; actions: Record<string, unknown>[] }[]
}

/** Creates one change request and returns its id. */
export async function createChangeRequest(as: Caller, zone: { id: number }, ...actions: object[]) {
  const [{ id }] = await createChangeRequests(as, zone, actions)
  return id
}

/** Sends a decision on a change request. */
export function decide(as: Caller, id: number, verb: string, body: object = {}) {
  return as.post(`/change-requests/${id}/${verb}`, body)
}

/** Returns a change request with its stale actions, as the caller sees it. */
export async function requestDetail(as: Caller, id: number) {
  const response = await as.get(`/change-requests/${id}`)
  want(response, 200)
  return response.body().data
}

function want(response: ApiResponse, status: number): void {
  if (response.status() !== status) {
    throw new Error(`${response.status()} instead of ${status}: ${response.text()}`)
  }
}

/** Submits a form of the page of a change request. */
export function submitDecision(
  client: WebClient,
  id: number,
  verb: string,
  fields: Record<string, string> = {}
): Promise<Page> {
  return client.post(`/requests/${id}/${verb}`, fields, { from: '/account/password' })
}

/** Returns the current contents of the records of a name. */
export async function contentsOfName({ root, zone }: Reviewed, name: string): Promise<string[]> {
  const response = await root.get(`/zones/${zone.id}/records?name=${name}.${zone.name}`)
  const { data } = response.body() as { data: { records: { content: string }[] } }
  return data.records.map(({ content }) => content)
}
