import { test } from '@japa/runner'
import { person } from '#tests/support/app/people/people'
import { WebClient } from '#tests/support/web/client'

const none = { theme: '', time_zone: '', rows_per_page: '', language: '' }

const asking = async (language: string) => {
  const { html } = await new WebClient().get('/login', { 'accept-language': language })
  return /<html lang="([^"]+)" dir="([^"]+)"/.exec(html)?.slice(1) ?? []
}

test.group('Languages of the web interface', () => {
  test('visitors get the language of their browser', async ({ assert }) => {
    assert.deepEqual(await asking('de-CH,de;q=0.9,en;q=0.8'), ['de', 'ltr'])
    assert.deepEqual(await asking('ar'), ['ar', 'rtl'])
    assert.deepEqual(await asking('fr, ar;q=0.2, de;q=0.5'), ['de', 'ltr'])
    for (const other of ['', 'fr', '*', 'x'.repeat(500), '../../etc']) {
      assert.deepEqual(await asking(other), ['en', 'ltr'], other.slice(0, 20))
    }
  })

  test("the user's language has priority over the browser", async ({ assert }) => {
    const client = new WebClient()
    await client.signIn(await person())
    const saved = await client.post('/account/preferences', { ...none, language: 'ar' })
    assert.equal(saved.status, 303)
    const page = await client.get('/account/preferences', { 'accept-language': 'de' })
    assert.include(page.html, 'lang="ar" dir="rtl"')
    assert.include(page.html, 'value="ar" selected')
    await client.post('/account/preferences', none)
    const returnPage = await client.get('/', { 'accept-language': 'de' })
    assert.include(returnPage.html, 'lang="de" dir="ltr"')
  })

  test('errors of use cases are marked as English', async ({ assert }) => {
    const page = await new WebClient().get('/nothing/here', { 'accept-language': 'ar' })
    assert.equal(page.status, 404)
    assert.match(page.html, /<html lang="ar" dir="rtl"/)
    assert.match(page.html, /<p class="wrap-anywhere" lang="en" dir="ltr">/)
  })

  test('theme and contrast follow the preferences', async ({ assert }) => {
    const client = new WebClient()
    await client.signIn(await person())
    for (const theme of ['light', 'dark', 'contrast', 'system']) {
      await client.post('/account/preferences', { ...none, theme })
      const { html } = await client.get('/')
      assert.include(html, `data-theme="${theme}"`)
    }
  })
})
