import { test } from '@japa/runner'
import type { BackendZone } from '#backends/contract/backend'
import { BackendUnavailable, NotExecuted } from '#backends/contract/errors'
import { PowerDnsClient } from '#backends/powerdns_api/client'
import { PowerDnsSigning } from '#backends/powerdns_api/signing'
import { fine, PowerDnsDouble, refusing, type DoubleCall } from '#tests/support/powerdns_double'

const ZONE: BackendZone = { id: 1, name: 'a.test', kind: 'NATIVE', masters: [], account: null }
const KEY = {
  type: 'Cryptokey',
  id: 1,
  keytype: 'csk',
  active: true,
  published: true,
  algorithm: 'ECDSAP256SHA256',
  bits: 256,
  dnskey: '257 3 13 AAAA',
  ds: [],
}

/** A server whose first attempts to sign fail. With `half`, the key exists after the first attempt. */
async function failing(attempts: number, half = false) {
  const double = await PowerDnsDouble.start()
  let isSigned = false
  let failures = 0
  double.answer = (response, { method, path }) => {
    if (path.endsWith('/cryptokeys')) {
      response.end(JSON.stringify(isSigned ? [KEY] : []))
    } else if (path.endsWith('/metadata/PRESIGNED')) {
      response.end(JSON.stringify({ type: 'Metadata', kind: 'PRESIGNED', metadata: [] }))
    } else if (method === 'PUT' && path === '/zones/a.test.') {
      if (failures++ < attempts) {
        isSigned = half
        refusing(500, 'database is locked')(response)
      } else {
        isSigned = true
        response.writeHead(204).end()
      }
    } else {
      fine(response)
    }
  }
  const address = { url: double.url, key: 'secret', serverName: 'localhost' }
  const signing = new PowerDnsSigning(new PowerDnsClient(address))
  const tries = () => double.paths.filter((path) => path === 'PUT /zones/a.test.').length
  return { double, signing, tries }
}

test.group('Signing over the PowerDNS API', () => {
  test('signing is retried after a conflict on the server', async ({ assert, cleanup }) => {
    const { double, signing, tries } = await failing(2)
    cleanup(() => double.stop())
    await signing.sign(ZONE)
    assert.equal(tries(), 3)
  })

  test('signing fails if the server keeps failing', async ({ assert, cleanup }) => {
    const { double, signing, tries } = await failing(9)
    cleanup(() => double.stop())
    await assert.rejects(() => signing.sign(ZONE), /500: database is locked/)
    assert.equal(tries(), 3)
  })

  test('signing is not retried if it was done despite the error', async ({ assert, cleanup }) => {
    const { double, signing, tries } = await failing(1, true)
    cleanup(() => double.stop())
    await signing.sign(ZONE)
    assert.equal(tries(), 1)
  })

  for (const status of [401, 422]) {
    test(`signing is uncertain if a retry gets ${status}`, async ({ assert, cleanup }) => {
      const { double, signing, tries } = await failing(1)
      cleanup(() => double.stop())
      const { answer } = double
      double.answer = (response, call) =>
        call.method === 'PUT' && tries() === 2
          ? refusing(status, 'not so')(response)
          : answer(response, call)
      const error: unknown = await signing.sign(ZONE).catch((thrown: unknown) => thrown)
      assert.instanceOf(error, BackendUnavailable)
      assert.notInstanceOf(error, NotExecuted)
      assert.equal(tries(), 2)
    })
  }

  test('signing did nothing if it was not sent, or if access is denied', async ({
    assert,
    cleanup,
  }) => {
    for (const [isRefused, status] of [
      [({ path }: DoubleCall) => path.startsWith('/cache/flush'), 500],
      [({ path }: DoubleCall) => path.startsWith('/cache/flush'), 401],
      [({ method, path }: DoubleCall) => method === 'PUT' && path === '/zones/a.test.', 403],
    ] as const) {
      const { double, signing } = await failing(0)
      cleanup(() => double.stop())
      const { answer } = double
      double.answer = (response, call) =>
        isRefused(call) ? refusing(status, 'not now')(response) : answer(response, call)
      const error: unknown = await signing.sign(ZONE).catch((thrown: unknown) => thrown)
      assert.instanceOf(error, NotExecuted)
    }
  })
})
