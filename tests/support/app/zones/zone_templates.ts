import { dataOf, type Caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'

/** Creates a zone template with an SOA record over the API and returns its id. */
export function createZoneTemplate(as: Caller, members: object = {}): Promise<number> {
  const body = { name: unique('zone template'), description: 'of a test' }
  return dataOf(as.post('/zone-templates', { ...body, ...members }), 'id')
}

/** Adds a record to a template over the API and returns the record id. */
export function addTemplateRecord(
  as: Caller,
  templateId: number,
  name: string,
  type: string,
  content: string,
  members: object = {}
): Promise<number> {
  const body = { name, type, content, ttl: 3600, ...members }
  return dataOf(as.post(`/zone-templates/${templateId}/records`, body), 'id')
}

/** Returns the ids of the records of a template, by type and content. */
export async function templateRecordIds(
  as: Caller,
  templateId: number
): Promise<Map<string, number>> {
  const records: { id: number; type: string; content: string }[] = await dataOf(
    as.get(`/zone-templates/${templateId}/records`),
    'records'
  )
  return new Map(records.map(({ id, type, content }) => [`${type} ${content}`, id]))
}
