// @databases @api-backend
import { test } from '@japa/runner'
import { caller, dataOf, createZone } from '#tests/support/app/api'
import { dyndnsCall } from '#tests/support/dyndns/ask'
import { dyndnsScene } from '#tests/support/dyndns/scene'

/** Enough hosts for a common lookup. */
const COUNT = 24

test.group('Concurrent dynamic DNS updates', () => {
  test('callers, addresses and revoked keys are not mixed up', async ({ client, assert }) => {
    const { admin, owner, zone } = await dyndnsScene(client)
    // If one zone is inside another, the closer zone counts.
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
    const responsesWith = (code: string) => hosts.map(({ address }) => `${code} ${address}`)
    assert.deepEqual(await askAll(own), responsesWith('good'))
    assert.deepEqual(await askAll(own), responsesWith('nochg'))
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
