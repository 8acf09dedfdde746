import type { Reviewed } from '#tests/support/app/review'
import type { Page, WebClient } from '#tests/support/web/client'

/** Sends a form of the page of a change request. */
export function answer(
  client: WebClient,
  id: number,
  verb: string,
  fields: Record<string, string> = {}
): Promise<Page> {
  return client.post(`/requests/${id}/${verb}`, fields, { from: '/account/password' })
}

/** The contents that the records of a name have now. */
export async function contentsOfName({ root, zone }: Reviewed, name: string): Promise<string[]> {
  const response = await root.get(`/zones/${zone.id}/records?name=${name}.${zone.name}`)
  const { data } = response.body() as { data: { records: { content: string }[] } }
  return data.records.map(({ content }) => content)
}
