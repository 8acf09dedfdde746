// @slow
import { test } from '@japa/runner'
import { caller } from '#tests/support/app/api'
import { administrator } from '#tests/support/app/people/people'
import { createChangeRequest, owner, withReview } from '#tests/support/app/review'
import { plainZone, SigningServer } from '#tests/support/app/zones/signing'
import { addTemplateRecord, createZoneTemplate } from '#tests/support/app/zones/zone_templates'
import { Visitor, type Appearance } from '#tests/support/browser/browser'
import { inspectPages } from '#tests/support/browser/appearances'

const VIEWS: Record<string, Appearance> = {
  'light': {},
  'dark-phone': { theme: 'dark', width: 390, height: 844 },
}

test.group('Denied controls in the browser', (group) => {
  let server: SigningServer
  group.each.timeout(90_000)
  group.setup(withReview())

  group.setup(async () => {
    server = await SigningServer.start({ APPROVAL_ENABLED: 'true' })
    return () => server.stop()
  })

  for (const [name, appearance] of Object.entries(VIEWS)) {
    test(`denied controls are shown at their usual position, ${name}`, async ({
      client,
      assert,
    }) => {
      const admin = await administrator()
      const as = caller(client, admin)
      const zone = await plainZone(client, admin)
      const path = `/zones/${zone.id}`
      await server.call(admin.key, 'POST', `${path}/dnssec`, { enabled: true })
      await as.put(`${path}/metadata/ALSO-NOTIFY`, { values: ['192.0.2.1'] })
      await as.post('/autoprimaries', { ip: `2001:db8::${zone.id}`, nameserver: 'ns1.example.net' })
      const template = await createZoneTemplate(as, { is_global: true })
      await addTemplateRecord(as, template, 'www', 'A', '192.0.2.1')
      const viewer = await owner(zone, [
        'zone_content_view_own',
        'zone_logs_view_own',
        'zone_metadata_view_own',
        'zone_ownership_view_own',
        'zone_templ_edit',
        'supermaster_view',
      ])
      const asked = { name: 'asked', type: 'A', content: '192.0.2.1', ttl: 300 }
      const request = await createChangeRequest(as, zone, { op: 'add', record: asked })
      const visitor = await Visitor.openWindow({ ...appearance, base: server.url })
      await visitor.signIn(viewer)
      const visits: [file: string, path: string][] = [
        ['denied-zones', '/zones'],
        ['denied-records', path],
        ['denied-import', `${path}/import`],
        ['denied-history', `${path}/history`],
        ['denied-dnssec', `${path}/dnssec`],
        ['denied-metadata', `${path}/metadata`],
        ['denied-settings', `${path}/settings`],
        ['denied-autoprimaries', '/server/autoprimaries'],
        ['denied-template', `/zone-templates/${template}`],
        ['denied-template-settings', `/zone-templates/${template}/settings`],
      ]
      await inspectPages(visitor, assert, visits, name)
      await inspectPages(visitor, assert, [['denied-open', `${path}/dnssec`]], name, {
        opensDetails: true,
      })
      await visitor.leave()
      const root = await Visitor.openWindow({ ...appearance, base: server.url })
      await root.signIn(await administrator())
      await inspectPages(root, assert, [['denied-request', `/requests/${request}`]], name)
      await root.leave()
    })
  }
})
