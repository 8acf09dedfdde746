// @api-backend @process
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { maintainer } from '#access/actor'
import { NotExecuted, NotSent } from '#backends/contract/errors'
import { intentOf } from '#changes/model/intent'
import { claimIdempotencyKey, releaseRepeat } from '#changes/idempotency/requests'
import { changeSigning, type SigningChange } from '#changes/signing/change_signing'
import type { Refusal } from '#exceptions/refusal'
import { eventually } from '#tests/support/eventually'
import { ace } from '#tests/support/app/commands'
import { caller, createZone } from '#tests/support/app/api'
import { isApiMode, serverZone } from '#tests/support/app/backend'
import { backendUnderTest } from '#tests/support/app/zones/foreign_zones'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { digestOf, eventsOf, plainZone, SigningServer } from '#tests/support/app/zones/signing'
import { journalOf, serialOf } from '#tests/support/app/zones/zones'
import type { PowerDns } from '#tests/support/powerdns'
import { validate } from '#tests/support/validation'

test.group('Signing zones through the PowerDNS API', (group) => {
  group.each.timeout(60_000)
  let server: SigningServer
  let dns: PowerDns
  let admin: Person

  group.setup(async () => {
    server = await SigningServer.start()
    dns = server.dns!
    admin = await administrator()
    return () => server.stop()
  })

  const call = (method: string, path: string, body?: object) =>
    server.call(admin.key, method, path, body)

  test('a signed zone is served signed, with the DS of the served DNSKEY', async ({
    client,
    assert,
  }) => {
    const zone = await plainZone(client, admin)
    const path = `/zones/${zone.id}/dnssec`
    const before = await call('GET', path)
    assert.deepEqual(before.body, {
      success: true,
      data: { enabled: false, presigned: false, ds_records: [], dnskey: null },
      message: 'DNSSEC status retrieved successfully',
    })
    const serial = await serialOf(zone.id)

    const signed = await call('POST', path, { enabled: true, reason: 'a reason' })
    assert.equal(signed.status, 200, signed.text)
    assert.equal(signed.body.message, 'DNSSEC enabled successfully')
    const { enabled, presigned, ds_records: records, dnskey } = signed.body.data
    assert.deepEqual([enabled, presigned], [true, false])
    assert.deepEqual(
      records.map((ds: { digest_type: number }) => ds.digest_type),
      [1, 2, 4]
    )
    assert.match(dnskey, /^257 3 13 /)
    const served = await dns.query(zone.name, 'DNSKEY', { tcp: true })
    assert.deepEqual(
      served.answers.map(({ data }) => data.replace(/ /g, '')),
      [dnskey.replace(/ /g, '')]
    )
    assert.equal(records[1].digest, digestOf(zone.name, dnskey))
    assert.equal(records[1].algorithm, 13)

    const answer = await dns.query(`www.${zone.name}`, 'A', { dnssec: true })
    assert.includeMembers(
      answer.answers.map(({ type }) => type),
      ['A', 'RRSIG']
    )
    for (const [name, what] of [
      [`www.${zone.name}`, 'answer'],
      [`b.${zone.name}`, 'denial'],
      [`no.${zone.name}`, 'denial'],
    ] as const) {
      assert.equal(await validate(dns.port, zone.name, name, 'A'), what, name)
    }
    assert.isAbove(await serialOf(zone.id), serial)

    // The API does not show whether rows are rectified.
    const output = await ace(['zones:rectify-check', '--json', '--dry-run'])
    const report = JSON.parse(output.stdout) as { checked: number; not_compared: number }
    assert.deepEqual([report.checked > 0, report.not_compared > 0], [!isApiMode, isApiMode])
    assert.equal(output.code === 2, isApiMode, output.stdout)
    const words = await ace(['zones:rectify-check', '--dry-run'])
    assert.equal(/^Not compared: \d+ signed zones?\. The name server/.test(words.stdout), isApiMode)

    const secondAnswer = await call('POST', path, { enabled: true })
    assert.equal(secondAnswer.body.message, 'DNSSEC already enabled')
    assert.deepEqual(secondAnswer.body.data, signed.body.data)
    const status = await call('GET', path)
    assert.deepEqual(status.body.data, signed.body.data)

    const journal = await journalOf(zone.id)
    const last = journal.at(-1)!
    assert.containsSubset(last, { channel: 'api', username: admin.username, changes: [] })
    assert.isFalse(journal.some(({ channel }) => channel === 'external'))
    assert.deepEqual(await eventsOf(zone.id).then((events) => events.at(-1)), {
      action: 'zone.signed',
      outcome: 'success',
      detail: { entry: last.entry },
    })

    const undo = await call('POST', `/zones/${zone.id}/history/${last.entry}/undo`, {})
    assert.equal(undo.status, 409)
    assert.include(undo.body.message, 'how the zone is signed')

    const disabledAnswer = await call('POST', path, { enabled: false })
    assert.equal(disabledAnswer.body.message, 'DNSSEC disabled successfully')
    assert.deepEqual(disabledAnswer.body.data, before.body.data)
    const plain = await dns.query(`www.${zone.name}`, 'A', { dnssec: true })
    assert.deepEqual(
      plain.answers.map(({ type }) => type),
      ['A']
    )
    const offAgain = await call('POST', path, { enabled: false })
    assert.equal(offAgain.body.message, 'DNSSEC already disabled')
  })

  test('the NSEC3 settings outlive the keys', async ({ client, assert }) => {
    const zone = await plainZone(client, admin)
    const path = `/zones/${zone.id}/dnssec`
    const stored = await serverZone(zone)
    const kinds: Record<string, string[]> = { NSEC3PARAM: ['1 0 0 -'], NSEC3NARROW: ['1'] }
    const metadata = async () => {
      const rows = await stored.rows('domainmetadata').whereIn('kind', Object.keys(kinds))
      return Object.fromEntries(rows.map(({ kind, content }) => [kind, [content]]))
    }
    for (const [kind, [content]] of Object.entries(kinds)) {
      await stored.add('domainmetadata', { kind, content })
    }
    await call('POST', path, { enabled: true })
    assert.deepEqual(await metadata(), kinds)
    await eventually(async () => {
      const { authority } = await dns.query(`no.${zone.name}`, 'A', { dnssec: true })
      assert.include(
        authority.map(({ type }) => type),
        'NSEC3'
      )
    })
    const disabledAnswer = await call('POST', path, { enabled: false })
    assert.equal(disabledAnswer.body.message, 'DNSSEC disabled successfully', disabledAnswer.text)
    // PowerDNS accepts these kinds over its API for signed zones only.
    const left = isApiMode ? {} : kinds
    assert.deepEqual(await metadata(), left)
    const events = await eventsOf(zone.id)
    assert.deepEqual(events.at(-1)!.detail.ended, isApiMode ? kinds : undefined)
    const on = await call('POST', path, { enabled: true })
    assert.equal(on.status, 200, on.text)
    assert.deepEqual(await metadata(), left)
  })

  test('a serial changed by SOA-EDIT-API is not an external change', async ({ client, assert }) => {
    const zone = await plainZone(client, admin, { soa_edit_api: 'INCREASE' })
    const serial = await serialOf(zone.id)
    const signed = await call('POST', `/zones/${zone.id}/dnssec`, { enabled: true })
    assert.equal(signed.status, 200, signed.text)
    await call('GET', `/zones/${zone.id}`)
    const journal = await journalOf(zone.id)
    assert.isFalse(journal.some(({ channel }) => channel === 'external'))
    assert.containsSubset(journal.at(-1), {
      serial_before: serial,
      serial_after: await serialOf(zone.id),
    })
    assert.isAbove(await serialOf(zone.id), serial)
  })

  test('rectify repairs changes of other tools, in signed primary zones only', async ({
    client,
    assert,
  }) => {
    const zone = await plainZone(client, admin)
    const path = `/zones/${zone.id}/dnssec/rectify`
    const unsigned = await call('POST', path)
    assert.equal(unsigned.status, 409)
    await call('POST', `/zones/${zone.id}/dnssec`, { enabled: true })
    const stored = await serverZone(zone)
    await stored.rows('records').update({ ordername: 'zz' })
    const serial = await serialOf(zone.id)
    const done = await call('POST', path)
    assert.deepEqual(done.body, {
      success: true,
      data: null,
      message: 'Zone rectified successfully',
    })
    assert.equal(await serialOf(zone.id), serial)
    assert.equal(await validate(dns.port, zone.name, `no.${zone.name}`, 'A'), 'denial')

    await stored.zone().update({ type: 'SLAVE', master: '192.0.2.53' })
    // Listing records detects the external change.
    await call('GET', `/zones/${zone.id}/records`)
    const replica = await call('POST', path)
    assert.equal(replica.status, 409)
    assert.include(replica.body.message, 'Secondary')
  })

  test('a secondary zone is signed with the serial of its primary', async ({ client, assert }) => {
    const zone = await plainZone(client, admin)
    const stored = await serverZone(zone)
    await stored.zone().update({ type: 'SLAVE', master: '192.0.2.53' })
    const serial = await serialOf(zone.id)
    const signed = await call('POST', `/zones/${zone.id}/dnssec`, { enabled: true })
    assert.equal(signed.status, 200, signed.text)
    assert.equal(await serialOf(zone.id), serial)
  })

  test('a presigned zone is shown as such and not changed', async ({ client, assert }) => {
    const zone = await plainZone(client, admin)
    const stored = await serverZone(zone)
    await stored.add('domainmetadata', { kind: 'PRESIGNED', content: '1' })
    const path = `/zones/${zone.id}/dnssec`
    const status = await call('GET', path)
    assert.deepEqual(status.body.data, {
      enabled: true,
      presigned: true,
      ds_records: [],
      dnskey: null,
    })
    const key = { type: 'ksk', algorithm: 'ed25519', bits: 256 }
    for (const [method, tail, body] of [
      ['POST', '', { enabled: true }],
      ['POST', '', { enabled: false }],
      ['POST', '/keys', key],
      ['PATCH', '/keys/1', { active: true }],
      ['DELETE', '/keys/1', undefined],
      ['POST', '/rectify', undefined],
    ] as const) {
      const answer = await call(method, `${path}${tail}`, body)
      assert.equal(answer.status, 409, `${method} ${tail}: ${answer.text}`)
    }
    assert.isEmpty(await stored.rows('cryptokeys'))
  })

  test('all missing requirements of a zone are returned at once', async ({ client, assert }) => {
    const as = caller(client, admin)
    const zone = await createZone(as, { name: zoneNamed(), type: 'MASTER' })
    const sign = () => call('POST', `/zones/${zone.id}/dnssec`, { enabled: true })
    const stored = await serverZone(zone)
    await stored.rows('records').where('type', 'NS').delete()
    const bare = await sign()
    assert.equal(bare.status, 400)
    assert.match(bare.body.message, /no active NS record at its apex/)
    await stored.rows('records').where('type', 'SOA').update({ disabled: true })
    const both = await sign()
    assert.match(both.body.message, /no active SOA record/)
    assert.match(both.body.message, /no active NS record/)
    assert.isEmpty(await stored.rows('cryptokeys'))
  })

  // PowerDNS does not return a zone with such rows over its API.
  test('malformed SOA records and those at other names are returned', async ({
    client,
    assert,
  }) => {
    const zone = await plainZone(client, admin)
    const stored = await serverZone(zone)
    const row = { type: 'SOA', ttl: 300, prio: 0, disabled: false, auth: true }
    await stored.add('records', { ...row, name: `sub.${zone.name}`, content: 'a b c' })
    await stored.add('records', { ...row, name: zone.name, content: 'a. b. 1 2 3 4 5' })
    const strays = await call('POST', `/zones/${zone.id}/dnssec`, { enabled: true })
    assert.match(strays.body.message, /more than one SOA record/)
    assert.match(strays.body.message, /is at 'sub\./)
    assert.match(strays.body.message, /malformed/)
    assert.isEmpty(await stored.rows('cryptokeys'))
  }).tags(['@sql'])

  test('concurrent requests to sign create one key', async ({ client, assert }) => {
    const zone = await plainZone(client, admin)
    const path = `/zones/${zone.id}/dnssec`
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', path, { enabled: true }))
    )
    assert.sameMembers(
      answers.map(({ body }) => body.message),
      ['DNSSEC enabled successfully', ...Array(4).fill('DNSSEC already enabled')]
    )
    const stored = await serverZone(zone)
    assert.lengthOf(await stored.rows('cryptokeys'), 1)
  })

  test('a key change during record writes loses nothing', async ({ client, assert }) => {
    const zone = await plainZone(client, admin)
    const records = Array.from({ length: 8 }, (_, index) =>
      call('POST', `/zones/${zone.id}/records`, {
        name: `r${index}`,
        type: 'A',
        content: '192.0.2.9',
      })
    )
    const sign = call('POST', `/zones/${zone.id}/dnssec`, { enabled: true })
    const answers = await Promise.all([...records, sign])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [...Array(8).fill(201), 200]
    )
    for (const name of ['r0', 'r7', 'www']) {
      const what = await validate(dns.port, zone.name, `${name}.${zone.name}`, 'A')
      assert.equal(what, 'answer', name)
    }
    assert.equal(await validate(dns.port, zone.name, `no.${zone.name}`, 'A'), 'denial')
    await call('GET', `/zones/${zone.id}`)
    const journal = await journalOf(zone.id)
    assert.isFalse(journal.some(({ channel }) => channel === 'external'))
  })

  test('a dry run changes nothing', async ({ client, assert }) => {
    const zone = await plainZone(client, admin)
    const path = `/zones/${zone.id}/dnssec`
    const planned = await call('POST', `${path}?dry_run=true`, { enabled: true })
    assert.equal(planned.status, 200, planned.text)
    assert.match(planned.body.message, /Dry run/)
    const key = { type: 'ksk', algorithm: 'ed25519', bits: 256, dry_run: true }
    const plannedKey = await call('POST', `${path}/keys`, key)
    assert.equal(plannedKey.status, 200)
    const stored = await serverZone(zone)
    assert.isEmpty(await stored.rows('cryptokeys'))
  })

  test('a change that the name server did not start changes nothing and frees its idempotency key', async ({
    client,
    assert,
  }) => {
    const zone = await plainZone(client, admin)
    const backend = await backendUnderTest()
    const found = await backend.findZone(zone.id)
    const serial = await serialOf(zone.id)
    const [entries, events] = [await journalOf(zone.id), await eventsOf(zone.id)]
    for (const failure of [new NotSent('too many'), new NotExecuted('no entry')]) {
      const request = {
        caller: zone.name,
        key: failure.message,
        method: 'POST',
        path: '',
        body: '',
      }
      const claim = (await claimIdempotencyKey(request)) as { repeatId: number }
      const change: SigningChange<void> = {
        action: 'zone.signed',
        detail: {},
        movesSerial: true,
        call: () => Promise.reject(failure),
      }
      const intent = intentOf(maintainer(), claim)
      const error: unknown = await changeSigning(backend, intent, found!, change).catch(
        (thrown: unknown) => thrown
      )
      if (failure instanceof NotSent) assert.equal((error as Refusal).status, 503)
      else assert.equal(error, failure)
      const { state } = await db
        .from('zw_idempotency_keys')
        .where('id', claim.repeatId)
        .firstOrFail()
      assert.equal(state, 'running')
      await releaseRepeat(claim.repeatId)
    }
    assert.equal(await serialOf(zone.id), serial)
    assert.deepEqual(await journalOf(zone.id), entries)
    assert.deepEqual(await eventsOf(zone.id), events)
    assert.isNull(await db.from('zw_pending_steps').where('zone_id', zone.id).first())
  })
})
