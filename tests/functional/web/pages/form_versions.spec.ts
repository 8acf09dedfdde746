import { test } from '@japa/runner'
import { caller, createZone } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, createTeam } from '#tests/support/app/people/people'
import { addTemplateRecord, createZoneTemplate } from '#tests/support/app/zones/zone_templates'
import { signedIn } from '#tests/support/web/client'

type Fields = Record<string, string>

/** A form: fields that return it with an error, fields that another user stores, and fields sent afterwards. */
interface Form {
  path: string
  fields?: Fields
  wrong: Fields
  /** Status of the returned form. Default: 422. */
  answer?: number
  theirs: Fields
  mine: Fields
  /** Other submitted fields, which the other user does not change. */
  own?: Fields
}

test.group('Forms with a version', () => {
  test('a returned form keeps its version, so that no concurrent change is overwritten', async ({
    client: api,
    assert,
  }) => {
    const admin = await administrator()
    const client = await signedIn(admin)
    const as = caller(api, admin)
    const zone = await createZone(as, { name: zoneNamed() })
    const name = unique('template')
    const template = await createZoneTemplate(as, { name })
    const record = await addTemplateRecord(as, template, 'www', 'A', '192.0.2.1')
    const [user, team, key] = [await person(), await createTeam([]), await keyFor(admin)]
    const long = 'x'.repeat(1025)
    const described = { theirs: { description: 'theirs' }, mine: { description: 'mine' } }
    const forms: Form[] = [
      {
        path: `/users/${user.id}`,
        wrong: { description: long },
        own: { fullname: 'Own' },
        ...described,
      },
      {
        path: `/groups/${team.id}`,
        wrong: { description: long },
        own: { name: unique('own') },
        ...described,
      },
      {
        path: `/zones/${zone.id}/settings`,
        wrong: { name: '..' },
        own: { account: 'own' },
        ...described,
      },
      {
        path: `/zone-templates/${template}/settings`,
        fields: { name },
        wrong: { name: '' },
        own: { name: unique('own') },
        ...described,
      },
      {
        path: `/zone-templates/${template}/records/${record}`,
        fields: { name: 'www', type: 'A', content: '192.0.2.1', ttl: '60', priority: '0' },
        wrong: { ttl: 'soon' },
        theirs: { content: '192.0.2.2' },
        mine: { content: '192.0.2.3' },
      },
      {
        path: `/settings/api-keys/${key.id}`,
        fields: { access: 'all', zone_scope: 'all', name_scope: 'all' },
        // Searches for zones, which shows the form again.
        wrong: { name: 'mine', find: '1' },
        answer: 200,
        theirs: { name: 'theirs' },
        mine: { name: 'mine' },
      },
    ]
    for (const { path, fields, wrong, answer = 422, theirs, mine, own } of forms) {
      const page = await client.get(path)
      const [tag, was] = [page.hidden('tag'), page.hidden('was')]
      assert.match(tag, /^[\da-f]{32}$/, path)
      const stored = await client.post(path, { ...fields, ...theirs, tag })
      assert.equal(stored.status, 303, path)
      const refused = await client.post(path, { ...fields, ...wrong, tag, was })
      assert.deepEqual([refused.status, refused.hidden('tag')], [answer, tag], path)
      assert.equal(refused.hidden('was'), was, path)
      const lateSubmission = await client.post(path, { ...fields, ...mine, ...own, tag, was })
      assert.equal(lateSubmission.status, 412, path)
      // The form keeps the submitted text and shows the stored text next to it.
      if (mine.description) assert.equal(lateSubmission.typed('description'), 'mine', path)
      else assert.include(lateSubmission.html, `value="${mine.content ?? mine.name}"`, path)
      assert.include(lateSubmission.html, theirs.description ?? theirs.content ?? theirs.name, path)
      // Fields that only this form changed are not listed.
      const others = [...lateSubmission.html.matchAll(/<li class="wrap-anywhere">[^<]*: <b>/g)]
      if (own) assert.lengthOf(others, 1, path)
      // The page has the new version, which may then be replaced.
      const sent = await client.post(path, {
        ...fields,
        ...mine,
        tag: lateSubmission.hidden('tag'),
      })
      assert.equal(sent.status, 303, path)
    }
  })
})
