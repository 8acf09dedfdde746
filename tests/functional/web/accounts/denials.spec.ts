import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import { caller, dataOf, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import {
  createChangeRequest,
  owner,
  reviewScene,
  withReviewSettings,
  withReview,
} from '#tests/support/app/review'
import { addTemplateRecord, createZoneTemplate } from '#tests/support/app/zones/zone_templates'
import { signedIn, type WebClient } from '#tests/support/web/client'
import { deniedOn, wordsOf } from '#tests/support/web/review'

let admin: Person
let as: Caller

const RECORD = { name: 'asked', type: 'A', content: '192.0.2.1', ttl: 300 }
const ADDITION = { op: 'add', record: RECORD }

/** Returns the label of a control by its catalogue key. */
function label(key: string): string {
  const [file, name] = key.split('.')
  const path = new URL(`../../../../resources/lang/en/${file}.json`, import.meta.url)
  return (JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>)[name]
}

/** Returns the disabled controls of pages by path. */
async function allDenied(visitor: WebClient, paths: string[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const path of paths) {
    const page = await visitor.get(path)
    found[path] = page.status === 200 ? deniedOn(page) : [String(page.status)]
  }
  return found
}

/** Replaces catalogue keys by labels. Controls of one decision are joined with commas. */
function labels(pages: Record<string, string[]>): Record<string, string[]> {
  const told = (keys: string) => keys.split(' ').map(label).join(', ')
  return Object.fromEntries(Object.entries(pages).map(([path, all]) => [path, all.map(told)]))
}

test.group('Disabled controls in the web interface', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  group.each.setup((t) => {
    as = caller(t.context.client, admin)
  })

  test('users without rights see disabled controls with the reason, other users do not', async ({
    assert,
  }) => {
    const zone = await createZone(as, { name: zoneNamed('denied'), type: 'MASTER' })
    const deleted = await createZone(as, { name: zoneNamed('gone') })
    await as.put(`/zones/${zone.id}/metadata/ALLOW-AXFR-FROM`, { values: ['192.0.2.1'] })
    const template = await createZoneTemplate(as, { is_global: true })
    await addTemplateRecord(as, template, 'www.[ZONE]', 'A', '192.0.2.1')
    const someone = await owner(zone, [
      'zone_content_view_own',
      'zone_logs_view_own',
      'zone_metadata_view_own',
      'zone_ownership_view_own',
      'zone_templ_edit',
      'supermaster_view',
      'api_manage_keys',
      'user_logs_view',
    ])
    await as.post(`/zones/${deleted.id}/owners`, { user_id: someone.id })
    await as.delete(`/zones/${deleted.id}`)
    const at = `/zones/${zone.id}`
    const of = `/zone-templates/${template}`
    const expected = labels({
      '/zones': ['zones.new', 'bulk.begin_owner', 'bulk.begin_template', 'bulk.begin_delete'],
      [at]: ['wizards.title zone.add record.edit'],
      [`${at}/text`]: ['transfer.text_review'],
      [`${at}/import`]: ['transfer.preview', 'zone.clone_open', 'zone_templates.save_zone_open'],
      [`${at}/history`]: ['history.undo history.restore_here', 'history.restore_here'],
      [`${at}/at?point=1`]: ['history.restore'],
      [`${at}/metadata`]: ['metadata.change', 'metadata.go_on'],
      [`${at}/settings`]: [
        'zone.zone_settings_save',
        'zone.zone_settings_add',
        'server.call_notify server.call_flush',
        'zone.zone_deletion_title',
      ],
      '/trash': ['trash.restore', 'trash.discard'],
      '/server/autoprimaries?q=nowhere': ['server.autoprimaries_add'],
      '/zone-templates': ['zone_templates.new'],
      [of]: ['record.add', 'metadata.change', 'metadata.change'],
      [`${of}/settings`]: ['keys.save zone_templates.delete', 'zone_templates.copy_begin'],
      '/settings/api-keys': ['keys.everybodys'],
      '/settings/api-keys/new': ['keys.for_user'],
      '/dyndns/tokens/new': ['keys.for_user', 'dyndns.make'],
      '/audit': ['audit.verify'],
    })
    const paths = Object.keys(expected)
    const visitor = await signedIn(someone)
    assert.deepEqual(await allDenied(visitor, paths), expected)
    const page = await visitor.get(`${at}/history`)
    for (const words of [
      'You do not have permission to edit this zone',
      'zone_content_edit_own',
      label('layout.denied_by_right'),
    ]) {
      assert.include(wordsOf(page), words)
    }
    assert.deepEqual(
      await allDenied(await signedIn(admin), paths),
      Object.fromEntries(paths.map((path) => [path, []]))
    )
  }).tags(['@sql'])

  test('rights on one object leave other controls disabled, each by its own decision', async ({
    assert,
  }) => {
    const zone = await createZone(as, { name: zoneNamed('denied'), type: 'MASTER' })
    const at = `/zones/${zone.id}/settings`
    const editor = await signedIn(
      await owner(zone, ['zone_content_view_own', 'zone_content_edit_own'])
    )
    const expected = labels({
      [at]: [
        'zone.zone_settings_name zone.zone_settings_type new_zones.masters zone.zone_settings_account',
        'zone.zone_deletion_title',
      ],
    })
    assert.deepEqual(await allDenied(editor, [at]), expected)
    const manager = await signedIn(
      await owner(zone, ['zone_content_view_own', 'zone_metadata_view_own', 'zone_meta_edit_own'])
    )
    const kind = 'LUA-AXFR-SCRIPT'
    await as.put(`/zones/${zone.id}/metadata/${kind}`, { values: ['/etc/pdns/x.lua'] })
    const page = await manager.get(`/zones/${zone.id}/metadata`)
    assert.deepEqual(deniedOn(page), [label('metadata.change')])
    assert.include(wordsOf(page), label('layout.denied_by_administrator'))
  }).tags(['@sql'])
})

test.group('Deleted foreign zones', () => {
  test('the form of a new zone does not offer them to users who only create own zones', async ({
    client,
    assert,
  }) => {
    const root = caller(client, await administrator())
    const [own, foreign] = [zoneNamed('own'), zoneNamed('foreign')]
    const creator = await person({ permissions: ['zone_content_view_others', 'zone_master_add'] })
    for (const name of [own, foreign]) {
      const zone = await createZone(root, { name, type: 'MASTER' })
      if (name === own) await root.post(`/zones/${zone.id}/owners`, { user_id: creator.id })
      await root.delete(`/zones/${zone.id}`)
    }
    const visitor = await signedIn(creator)
    const page = await visitor.get('/trash?page=1')
    const rows = page.html.split('<tr>')
    const rowOf = (name: string) => rows.find((row) => row.includes(name)) ?? ''
    assert.match(rowOf(own), /href="\/trash\/\d+\/restore"/)
    assert.notMatch(rowOf(foreign), /href="\/trash\/\d+\/restore"/)
    assert.include(rowOf(foreign), 'zone_content_edit_others')
  })
})

test.group('Disabled decisions in the web interface', (group) => {
  group.setup(withReview())

  test('the author of a request cannot decide it, and a reviewer cannot withdraw it', async ({
    assert,
    client,
  }) => {
    admin = await administrator()
    as = caller(client, admin)
    const zone = await createZone(as, { name: zoneNamed('denied') })
    const requester = await owner(zone, ['zone_content_view_own', 'zone_change_request_own'])
    const id = await createChangeRequest(caller(client, requester), zone, ADDITION)
    const at = `/requests/${id}`
    const theirs = await signedIn(requester)
    assert.deepEqual(
      await allDenied(theirs, [at]),
      labels({ [at]: ['requests.approve requests.reject'] })
    )
    const root = await signedIn(admin)
    assert.deepEqual(await allDenied(root, [at]), labels({ [at]: ['requests.cancel'] }))
    const page = await root.get(at)
    assert.include(wordsOf(page), 'Only the requester can withdraw a change request')
    const forgedPage = await root.post(`${at}/cancel`, {}, { from: '/account/password' })
    assert.equal(forgedPage.status, 403)
    assert.equal(await dataOf(as.get(`/change-requests/${id}`), 'change_request.status'), 'pending')
    const resultPage = await theirs.post(`${at}/cancel`, {}, { from: '/account/password' })
    assert.equal(resultPage.status, 303)
    // A finished request has no disabled controls.
    assert.deepEqual(await allDenied(theirs, [at]), { [at]: [] })
  })

  test('a reviewer who is not a named approver of the zone sees the reason', async ({
    assert,
    client,
  }) => {
    const { zone, requester, reviewer, asRequester } = await reviewScene(client)
    const at = `/requests/${await createChangeRequest(asRequester, zone, ADDITION)}`
    const visitor = await signedIn(reviewer)
    await withReviewSettings(
      { zone_approvers: [`${zone.name} ${requester.username}`] },
      async () => {
        const page = await visitor.get(at)
        assert.deepEqual(
          deniedOn(page),
          labels({ at: ['requests.approve requests.reject', 'requests.rebase', 'requests.cancel'] })
            .at
        )
        assert.include(wordsOf(page), 'approval.zone_approvers names other users')
      }
    )
    assert.deepEqual(await allDenied(visitor, [at]), labels({ [at]: ['requests.cancel'] }))
  })
})
