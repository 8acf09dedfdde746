// @databases @slow
import { generateKeyPairSync } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, createZone, type Caller } from '#tests/support/app/api'
import { foreignZone } from '#tests/support/app/zones/foreign_zones'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { Visitor, type Appearance } from '#tests/support/browser/browser'
import { TWO_APPEARANCES } from '#tests/support/browser/appearances'

const JOB = 'sessions:prune'

let admin: Person
let as: Caller

async function visitorAt(path: string, appearance: Appearance = {}): Promise<Visitor> {
  const visitor = await Visitor.openWindow(appearance)
  await visitor.signIn(admin)
  await visitor.page.goto(path)
  return visitor
}

/** Inserts a record that belongs to no zone. */
async function stray(): Promise<{ id: number; name: string }> {
  const name = zoneNamed('stray')
  const row = { name, type: 'TXT', content: '"left behind"', ttl: 60, domain_id: null }
  await db.table('records').insert({ ...row, disabled: false, auth: true })
  const { id } = await db.from('records').where('name', name).firstOrFail()
  return { id: Number(id), name }
}

/** Submits the main form of a page. */
function submit({ page }: Visitor): Promise<void> {
  return page.locator('main form[method=post] button.primary').first().click()
}

test.group('Tasks with the name server', (group) => {
  group.each.timeout(60_000)
  group.each.setup(async (t) => {
    admin ??= await administrator()
    as = caller(t.context.client, admin)
  })

  test('autoprimaries are added, rejected, changed and removed', async ({ assert }) => {
    const nameserver = `ns.${zoneNamed()}`
    const visitor = await visitorAt('/server/autoprimaries')
    const { page } = visitor
    const add = async (ip: string) => {
      await page.getByLabel('Address', { exact: true }).fill(ip)
      await page.getByLabel('Name server', { exact: true }).fill(nameserver)
      await page.getByRole('button', { name: 'Add autoprimary' }).click()
    }
    await add('192.0.2.300')
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByLabel('Name server', { exact: true }).inputValue(), nameserver)
    await add('192.0.2.53')
    await page.getByText('Autoprimary added').waitFor()
    await add('192.0.2.53')
    await page.getByRole('alert').waitFor()
    await visitor.picture('task-autoprimary-twice')
    await visitor.inspect(assert)
    await page.goto('/server/autoprimaries')
    await page.getByRole('link', { name: `Edit 192.0.2.53 ${nameserver}` }).click()
    await page.getByLabel('Address', { exact: true }).fill('2001:DB8::53')
    await page.getByLabel('Account', { exact: true }).fill('office')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Autoprimary saved').waitFor()
    await page.getByRole('link', { name: `Edit 2001:db8::53 ${nameserver}` }).click()
    const removing = await visitor.openConfirmation('Remove')
    await removing.getByLabel('can no longer add zones').check()
    await removing.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Autoprimary removed').waitFor()
    assert.lengthOf(await db.from('supermasters').where({ nameserver }), 0)
    await visitor.leave()
  })

  test('a requested job waits for a scheduler', async ({ assert, cleanup }) => {
    cleanup(async () => {
      await db.from('zw_job_runs').where({ job: JOB, outcome: 'queued' }).delete()
    })
    const visitor = await visitorAt('/jobs')
    const { page } = visitor
    await page.getByRole('button', { name: `Run now: ${JOB}` }).click()
    await page.getByText(`${JOB} starts as soon as`).waitFor()
    await page.getByRole('cell', { name: 'queued' }).waitFor()
    await page.getByRole('cell', { name: admin.username }).waitFor()
    assert.equal(new URL(page.url()).pathname, `/jobs/${JOB}`)
    await visitor.inspect(assert)
    await visitor.leave()
  })

  test('consistency problems of other tools are repaired after a preview: a missing SOA, stray records, no owner', async ({
    assert,
  }) => {
    const dark = await foreignZone('MASTER')
    const lost = await stray()
    const visitor = await visitorAt(`/server/consistency/no_soa?after=${dark.id - 1}`)
    const { page } = visitor
    await page.getByRole('button', { name: 'Enable or add SOA records' }).click()
    await page.getByText('Select at least one entry').waitFor()
    await page.goto(`/server/consistency/no_soa?after=${dark.id - 1}`)
    await page.getByLabel(`Select ${dark.name}`).check()
    await page.getByRole('button', { name: 'Enable or add SOA records' }).click()
    await page.getByRole('button', { name: 'Fix' }).click()
    await page.getByText('1 fixed').waitFor()
    assert.lengthOf(await db.from('records').where({ domain_id: dark.id, type: 'SOA' }), 1)

    await page.goto(`/server/consistency/strays?after=${lost.id - 1}`)
    await page.getByLabel(`Select ${lost.name}`).check()
    await page.getByRole('button', { name: 'Delete records' }).click()
    await page.getByText('deleted permanently').waitFor()
    await page.getByRole('button', { name: 'Fix' }).click()
    await page.getByText('1 fixed').waitFor()
    assert.lengthOf(await db.from('records').where('id', lost.id), 0)

    await page.goto(`/server/consistency/ownerless?after=${dark.id - 1}`)
    await page.getByLabel(`Select ${dark.name}`).check()
    await page.getByRole('button', { name: 'Assign owner…' }).click()
    await page.getByLabel('User name').fill(admin.username)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('1 zone changes').waitFor()
    await page.getByRole('button', { name: 'Change the owner of 1 zone' }).click()
    await page.getByText('1 done').waitFor()
    const owners = await db.from('zw_zone_owners').where('zone_id', dark.id)
    assert.deepEqual(
      owners.map((owner) => Number(owner.user_id)),
      [admin.id]
    )
    await visitor.leave()
  })

  for (const [name, appearance] of Object.entries(TWO_APPEARANCES)) {
    test(`results of forms pass the page checks: secrets, wizards, plans, a broken chain, ${name}`, async ({
      assert,
    }) => {
      const zone = await createZone(as, { name: zoneNamed() })
      const dark = await foreignZone('MASTER')
      const lost = await stray()
      const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const key = publicKey.export({ type: 'spki', format: 'pem' }).toString()
      const wizards = `/zones/${zone.id}/wizards`
      const consistency = '/server/consistency'
      const forms: [file: string, path: string, fields: Record<string, string>, then: string][] = [
        ['key-secret', '/settings/api-keys/new?preset=monitoring', {}, '#secret'],
        ['token-secret', '/dyndns/tokens/new', { hostnames: `nas.${zone.name}` }, '#secret'],
        [
          'webhook-secret',
          '/webhooks/new',
          { name: unique('hook'), url: 'https://hooks.example.net/x' },
          '#secret',
        ],
        ['dkim', `${wizards}/dkim`, { selector: 'mail2026', key }, '.diff'],
        [
          'caa',
          `${wizards}/caa`,
          { issue: 'ca.example.net; validationmethods=dns-01', iodef: 'security@example.net' },
          '.diff',
        ],
        [
          'srv',
          `${wizards}/srv`,
          { service: 'sip', target: `sip.${zone.name}`, port: '5061' },
          '.diff',
        ],
        [
          'verify-broken',
          '/audit/verify',
          { kept: `999999999:${'0'.repeat(64)}` },
          '.notice.error',
        ],
        ['no-soa-plan', `${consistency}/no_soa?after=${dark.id - 1}`, { 'ids[]': '' }, '.diff'],
        [
          'strays-confirm',
          `${consistency}/strays?after=${lost.id - 1}`,
          { 'ids[]': '' },
          '.values',
        ],
      ]
      const visitor = await visitorAt('/', appearance)
      const { page } = visitor
      for (const [file, path, fields, then] of forms) {
        await page.goto(path)
        for (const [field, value] of Object.entries(fields)) {
          const input = page.locator(`main form[method=post] [name="${field}"]`).first()
          await (field === 'ids[]' ? input.check() : input.fill(value))
        }
        await submit(visitor)
        await page.locator(`main ${then}`).first().waitFor()
        await visitor.picture(`form-${file}-${name}`)
        await visitor.inspect(assert)
      }
      await visitor.leave()
    })
  }
})
