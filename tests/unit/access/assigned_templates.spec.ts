import { test } from '@japa/runner'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { explain } from '#access/explain'
import type { Permission } from '#access/permissions'
import { loadSettings } from '#settings/load'
import { withSettings } from '#tests/support/app/settings'

const SETTER = ['user_add_new', 'user_edit_templ_perm'] as const

function actorWith(own: Permission[], ofGroup: Permission[] = []): Actor {
  return {
    userId: 7,
    username: 'helper',
    permissions: new Set(own),
    groups: [{ id: 1, name: 'crew', permissions: new Set(ofGroup) }],
    key: null,
    address: null,
    channel: 'api',
  }
}

const other = { id: 9, isSuperUser: false }

test.group('Assigned permission templates', (group) => {
  group.setup(async () => {
    await loadSettings()
  })

  for (const [what, actor, template, wide, narrow] of [
    ['nothing', actorWith([...SETTER]), [], true, true],
    ['what is held', actorWith([...SETTER]), ['user_add_new'], true, true],
    ['more than is held', actorWith([...SETTER]), ['search'], true, false],
    ['what a group gives', actorWith([...SETTER], ['search']), ['search'], true, true],
    ['one held, one not', actorWith([...SETTER]), ['user_add_new', 'search'], true, false],
    ['zones of others', actorWith([...SETTER]), ['zone_content_edit_others'], true, false],
    ['all, by an administrator', actorWith(['user_is_ueberuser']), ['search'], true, true],
    ['an administrator', actorWith([...SETTER]), ['user_is_ueberuser'], false, false],
    ['without the right', actorWith(['search']), ['search'], false, false],
  ] as [string, Actor, Permission[], boolean, boolean][]) {
    test(`${what}: ${wide}, and ${narrow} if only held permissions may be assigned`, async ({
      assert,
    }) => {
      for (const user of [null, other]) {
        const request = {
          action: 'user.assign_template',
          user,
          template: new Set(template),
        } as const
        assert.equal(authorize(actor, request).allowed, wide)
        await withSettings({ permissions: { assign_only_held: true } }, () => {
          const { allowed, reasons } = authorize(actor, request)
          assert.equal(allowed, narrow)
          if (wide && !narrow) {
            assert.include(reasons[0].message, template.at(-1)!)
            assert.equal(reasons.at(-1)?.source, 'permissions.assign_only_held')
          }
        })
      }
    })
  }

  test('explain mentions the setting', async ({ assert }) => {
    const sources = () =>
      explain(actorWith([...SETTER]), 'user.assign_template', {}).reasons.map(
        ({ source }) => source
      )
    assert.notInclude(sources(), 'permissions.assign_only_held')
    await withSettings({ permissions: { assign_only_held: true } }, () => {
      assert.include(sources(), 'permissions.assign_only_held')
    })
  })
})
