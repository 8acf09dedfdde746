import { globSync } from 'node:fs'
import { test } from '@japa/runner'
import { homePath } from '#support/home'
import { administrator } from '#tests/support/app/people/people'
import { pagePatterns } from '#tests/support/browser/every_page'
import { signedIn, WebClient, type Page } from '#tests/support/web/client'
import { helpHref } from '#web/help/help_links'
import { baseUrl } from '#tests/support/app/api'

let client: WebClient

/** Targets of links and images of the documentation, without anchors. */
const targets = ({ html }: Page) =>
  [...html.matchAll(/(?:href|src)="(\/help[^"#]*)/g)].map(([, path]) => path)

test.group('Documentation in the web interface', (group) => {
  group.setup(async () => {
    client = await signedIn(await administrator())
  })

  test('every page of docs/ is reached from /help by links', async ({ assert }) => {
    const seen = new Set<string>()
    const waiting = ['/help']
    for (let path = waiting.pop(); path; path = waiting.pop()) {
      if (seen.has(path)) continue
      seen.add(path)
      const page = await client.get(path)
      assert.equal(page.status, 200, path)
      if (!path.startsWith('/help/images/')) waiting.push(...targets(page))
    }
    const files = globSync('*/*.md', { cwd: homePath('docs') })
    assert.include([...seen], '/help/images/dnssec.webp')
    assert.includeMembers(
      [...seen],
      files.map((file) => `/help/${file}`.replace(/(\/README)?\.md$/, ''))
    )
  })

  test('headings have anchors, and markup in tables stays', async ({ assert }) => {
    const { html } = await client.get('/help/tutorials/first-zone')
    assert.include(html, '<h1>First zone</h1>')
    assert.match(html, /<h2 id="[a-z0-9-]+">/)
    assert.notMatch(html, /href="[^"]*\.md[#"]/)
    assert.include(html, '<pre tabindex="0"')
  })

  test('{$self}: 404')
    .with([
      '/help/unknown',
      '/help/README',
      '/help/../package.json',
      '/help/%2e%2e/package.json',
      '/help/tutorials/..%2F..%2Fpackage',
      '/help/images/unknown.webp',
      '/help/images/..%2fREADME.md',
    ])
    .run(async ({ assert }, path) => {
      assert.equal(await client.statusOf(path), 404)
    })

  test('visitors are led to the sign-in', async ({ assert }) => {
    const { status, location } = await new WebClient(baseUrl()).get('/help/guides/deploy')
    assert.equal(status, 303)
    assert.match(location ?? '', /^\/login/)
  })

  test('every page has a section of its own, or the one of its area', ({ assert }) => {
    const outside = /^\/(login|password|setup|styleguide|assets|help|live|names|palette)/
    const without = pagePatterns().filter(
      (pattern) => !outside.test(pattern) && helpHref(pattern) === '/help'
    )
    assert.deepEqual(without, [])
  })

  test('a page leads to its section', async ({ assert }) => {
    const { html } = await client.get('/zones')
    assert.include(html, 'href="/help/guides/web-interface#list-of-zones"')
  })
})
