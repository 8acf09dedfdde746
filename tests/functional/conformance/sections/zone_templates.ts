import { check, section } from '#tests/support/conformance/check'

const RECORD = { name: 'www.[ZONE]', type: 'A', content: '192.0.2.1' }

export const zoneTemplates = section(
  'Zone templates',
  check('validation', '', async ({ root, zoneTemplate, data, want, assert }) => {
    const { path } = await zoneTemplate()
    const { id } = await data(201, root('POST', `${path}/records`, RECORD))
    for (const [type, content] of [
      ['A', 'no address'],
      ['AAAA', '192.0.2.1'],
      ['MX', '10 mail.[ZONE]'],
      ['TXT', 'without quotes'],
      ['CAA', 'nonsense'],
    ]) {
      const body = { ...RECORD, type, content }
      const { body: answer } = await want(400, root('POST', `${path}/records`, body))
      assert.isNotEmpty(answer.message)
      await want(400, root('PUT', `${path}/records/${id}`, body))
    }
    const { records } = await data(200, root('GET', `${path}/records`))
    assert.lengthOf(records, 2)
    await want(200, root('PUT', `${path}/records/${id}`, { ...RECORD, content: '192.0.2.2' }))
  }),
  check('reading', '', async ({ someone, as, root, zoneTemplate, data, want, assert }) => {
    const { id, path } = await zoneTemplate({ is_global: true })
    for (const permission of ['zone_master_add', 'zone_slave_add'] as const) {
      const sendRequest = as(await someone(permission))
      const { templates } = await data(200, sendRequest('GET', '/zone-templates'))
      assert.include(
        templates.map((one: { id: number }) => one.id),
        id
      )
      const { records } = await data(200, sendRequest('GET', `${path}/records`))
      assert.lengthOf(records, 1)
      const body = { name: 'refused', description: 'x' }
      await want(403, sendRequest('POST', '/zone-templates', body))
      await want(403, sendRequest('PUT', path, body))
      await want(403, sendRequest('POST', `${path}/records`, RECORD))
      await want(403, sendRequest('PUT', `${path}/records/${records[0].id}`, RECORD))
      await want(403, sendRequest('DELETE', `${path}/records/${records[0].id}`))
      await want(403, sendRequest('DELETE', path))
    }
    const other = as(await someone('zone_content_view_others'))
    await want(403, other('GET', '/zone-templates'))
    await want(403, other('GET', `${path}/records`))
    await want(200, root('DELETE', path))
  })
)
