import type { ApiClient, ApiRequest, ApiResponse } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { addTemplateRecord, createZoneTemplate } from '#tests/support/app/zones/zone_templates'
import { requestOn } from '#tests/support/access/fixtures'
import type { Props } from '#tests/support/access/matrix_row'
import { caller, createRecord, createZone } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator, keyFor } from '#tests/support/app/people/people'

/** A substring of every canary, for searches. It is not a canary itself. */
export const COMMON_PART = 'hushed'

/**
 * Callers who must not see the canary. `zone`: without rights on zones; `account`: additionally without rights on accounts;
 * `key`: without administrator rights.
 */
type Kind = 'zone' | 'account' | 'key'

/** Objects of another tenant. Every text in them is a canary. */
export interface Secrets {
  /** Foreign objects for the rows of the table. */
  props: Props
  templateId: number
  /** First octets of the addresses of a foreign reverse zone, for example of `10.203.0.113.7`. */
  network: string
  canaries: Record<Kind, string[]>
}

/** Creates another tenant over the API, so that journal and audit log contain it as well. */
export async function plantSecrets(client: ApiClient, stage: Props): Promise<Secrets> {
  const canaries: Secrets['canaries'] = { zone: [], account: [], key: [] }
  const canary = (kind: Kind) => {
    const text = unique(COMMON_PART)
    canaries[kind].push(text)
    return text
  }
  const as = caller(client, await administrator())
  const createdId = async (call: ApiRequest) => {
    const response = await call
    response.assertStatus(201)
    return response.body().data
  }

  const templateName = canary('account')
  await createdId(
    as.post('/permission-templates', {
      name: templateName,
      descr: canary('account'),
      permissions: [],
    })
  )
  const templateId = await idOf('zw_permission_templates', templateName)
  const groupName = canary('account')
  const { group } = await createdId(
    as.post('/groups', { name: groupName, description: canary('account'), perm_templ_id: 9 })
  )
  const username = canary('account')
  const { user_id: userId } = await createdId(
    as.post('/users', {
      username,
      password: 'a Password that 1 policy takes',
      fullname: canary('account'),
      email: `${canary('account')}@example.test`,
      description: canary('account'),
      perm_templ: templateId,
      groups: [group.id],
    })
  )
  const owned = { owner_user_id: userId, group_ids: [group.id] }
  const zone = await createZone(as, {
    name: `${canary('zone')}.test`,
    description: canary('zone'),
    account: canary('zone'),
    reason: canary('zone'),
    ...owned,
  })
  await createZone(as, { name: `${canary('zone')}.${stage.zoneName}`, ...owned })
  const octets = Array.from({ length: 2 }, () => 1 + Math.floor(Math.random() * 254))
  const network = `10.${octets.join('.')}`
  await createZone(as, { name: `${[...octets].reverse().join('.')}.10.in-addr.arpa`, ...owned })
  const record = await createRecord(as, zone, {
    name: canary('zone'),
    type: 'TXT',
    content: `"${canary('zone')}"`,
  })
  const alias = canary('zone')
  await createRecord(as, zone, { name: alias, type: 'CNAME', content: `${canary('zone')}.test.` })
  const deleted = await createZone(as, { name: `${canary('zone')}.test`, ...owned })
  const deletion = await as.delete(`/zones/${deleted.id}`)
  deletion.assertStatus(204)
  const { id: trashId } = await db.from('zw_trash').where('zone_name', deleted.name).firstOrFail()

  const { id: keyId, key } = await keyFor({ username }, { zones: [zone] })
  canaries.key.push(key.slice(0, 12))
  const renamed = await as.put(`/api-keys/${keyId}`, {
    name: canary('key'),
    patterns: [{ name: `${canary('zone')}.${zone.name}`, types: ['TXT'] }],
  })
  renamed.assertStatus(200)
  const input = { name: canary('zone'), comment: canary('zone') }
  const requestId = await requestOn(as, zone, input)
  const zoneTemplateId = await createZoneTemplate(as)
  const recordOfTemplate = await addTemplateRecord(as, zoneTemplateId, '[ZONE]', 'A', '192.0.2.1')
  return {
    props: {
      zoneId: zone.id,
      zoneName: zone.name,
      recordId: Number(record.id),
      trashId: Number(trashId),
      requestId,
      userId,
      groupId: group.id,
      keyId,
      templateId: zoneTemplateId,
      templateRecordId: recordOfTemplate,
    },
    templateId,
    network,
    canaries,
  }
}

/** Returns everything that a client sees of a response, without time and request id. */
export function wholeAnswer(response: ApiResponse): string {
  const headers = Object.entries(response.headers() as Record<string, unknown>).filter(
    ([name]) => name !== 'date' && name !== 'x-request-id'
  )
  return `${response.status()} ${JSON.stringify(headers)} ${response.text() ?? ''}`
}

async function idOf(table: string, name: string): Promise<number> {
  const { id } = await db.from(table).where('name', name).firstOrFail()
  return Number(id)
}
