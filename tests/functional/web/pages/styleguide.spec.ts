// @process
import { test } from '@japa/runner'
import { administrator } from '#tests/support/app/people/people'
import { WebClient } from '#tests/support/web/client'
import { ServerProcess } from '#tests/support/faults/server_process'

test.group('The style guide page', (group) => {
  group.each.timeout(60_000)

  test('the page exists in development and not in production', async ({ assert, cleanup }) => {
    // Without a user who can sign in, every page redirects to the first run.
    await administrator()
    const here = await new WebClient().get('/styleguide')
    assert.equal(here.status, 200)
    for (const part of ['class="toast"', 'data-menu', '<dialog', 'class="confirm"']) {
      assert.include(here.html, part)
    }
    const production = await ServerProcess.start({ NODE_ENV: 'production' })
    cleanup(() => production.stop())
    const productionClient = new WebClient(production.url)
    const channel = await productionClient.get('/login')
    assert.equal(channel.status, 200)
    const missing = await productionClient.get('/styleguide')
    assert.equal(missing.status, 404)
    assert.notInclude(missing.html, 'sg-buttons')
  })
})
