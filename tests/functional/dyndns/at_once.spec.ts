// @databases @api-backend
import { test } from '@japa/runner'
import { caller, dataOf, createZone } from '#tests/support/app/api'
import { dyndnsCall } from '#tests/support/dyndns/ask'
import { dyndnsScene } from '#tests/support/dyndns/scene'

/** Enough for several to be looked up together. */
const COUNT = 24

test.group('Updates that come at once', () => {
  test('each caller is who they are, each host has its own address, and what is revoked is', async ({
    client,
    assert,
  }) => {
    const { admin, owner, zone } = await dyndnsScene(client)
    // Of two zones, one in the other, the closer one counts.
    const inner = await createZone(admin, { name: `in.${zone.name}`, owner_user_id: owner.id })
    const as = caller(client, owner)
    const hosts = await Promise.all(
      Array.from({ length: COUNT }, async (_, index) => {
        const name = `h${index}.${index % 3 === 0 ? inner.name : zone.name}`
        const { token, secret } = await dataOf(as.post('/dynamic-dns/tokens', { hostname: name }))
        return { name, secret, id: token.id, address: `198.51.100.${index + 1}` }
      })
    )
    const askAll = (secretOf: (index: number) => string) =>
      Promise.all(
        hosts.map(async ({ name, address }, index) => {
          const headers = { authorization: `Bearer ${secretOf(index)}` }
          const { text } = await dyndnsCall(`hostname=${name}&myip=${address}`, { headers })
          return text.trim()
        })
      )
    const own = (index: number) => hosts[index].secret
    const told = (code: string) => hosts.map(({ address }) => `${code} ${address}`)
    assert.deepEqual(await askAll(own), told('good'))
    assert.deepEqual(await askAll(own), told('nochg'))
    const ofOthers = await askAll((index) => own((index + 1) % COUNT))
    assert.deepEqual([...new Set(ofOthers)], ['!yours'])
    const revoked = hosts.filter((_, index) => index % 2 === 0)
    await Promise.all(
      revoked.map(async ({ id }) => {
        const response = await as.delete(`/dynamic-dns/tokens/${id}`)
        response.assertStatus(204)
      })
    )
    assert.deepEqual(
      await askAll(own),
      hosts.map(({ address }, index) => (index % 2 === 0 ? 'badauth' : `nochg ${address}`))
    )
  })
})
