import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'
import { administrator } from '#tests/support/app/people/people'
import type { Props } from '#tests/support/access/matrix_row'
import { inside, WebClient } from '#tests/support/web/client'
import { COUNTERPARTS } from '#tests/support/web/counterparts/all'
import { EVERYBODYS_FORMS, OTHER_FORMS } from '#tests/support/web/other_forms'

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE']

/** What is no page: the API, the health checks, the endpoint for routers. */
const OTHER_CHANNELS = /^\/(api(\/|$)|ping$)|\/(nic\/update|dynamic_update)/

/** Every route of the web interface by which something is sent. */
function formRoutes(): { method: string; pattern: string }[] {
  return Object.values(router.toJSON())
    .flat()
    .filter(({ pattern }) => !OTHER_CHANNELS.test(pattern))
    .flatMap(({ methods, pattern }) => methods.map((method) => ({ method, pattern })))
    .filter(({ method }) => WRITES.includes(method))
}

/** Patterns of routes, those without parameters first, by which an address finds its route. */
const ordered = () =>
  formRoutes()
    .map(({ pattern }) => pattern)
    .sort((one, other) => one.split(':').length - other.split(':').length)

function routeOf(path: string, patterns: string[]): string | undefined {
  const [address] = path.split('?')
  return patterns.find((pattern) =>
    new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(address)
  )
}

/** Whatever is asked of it, it is 1: for addresses alone. */
const ANY = new Proxy({}, { get: () => '1' }) as Props

/** Routes of the web interface that do what an operation of the API does that changes something. */
function mirrored(): Set<string> {
  const patterns = ordered()
  const found = Object.entries(COUNTERPARTS).flatMap(([title, counterpart]) =>
    'none' in counterpart || title.startsWith('GET ')
      ? []
      : (routeOf(counterpart.path(ANY), patterns) ?? `no route: ${title}`)
  )
  return new Set(found)
}

/** An address of the route, about what is not there. */
const addressOf = (pattern: string) => pattern.replaceAll(/:\w+/g, '999999999')

test.group('Forms of the web interface', (group) => {
  // Without anybody, every page would lead to the first run.
  group.setup(async () => {
    await administrator()
  })

  test('are sent by POST, and do what the API does, or are named with their reason', ({
    assert,
  }) => {
    const routes = formRoutes()
    assert.isAbove(routes.length, 90)
    assert.deepEqual([...new Set(routes.map(({ method }) => method))], ['POST'])
    const mirrors = mirrored()
    assert.deepEqual(
      [...mirrors].filter((one) => one.startsWith('no route')),
      []
    )
    const others = routes.map(({ pattern }) => pattern).filter((one) => !mirrors.has(one))
    assert.sameMembers(others, [...Object.keys(OTHER_FORMS), ...Object.keys(EVERYBODYS_FORMS)])
  })

  test('lead whoever is not signed in to the sign-in, and do nothing', async ({ assert }) => {
    const stranger = new WebClient()
    const token = await stranger.tokenOn('/login')
    const found: string[] = []
    for (const { pattern } of formRoutes().filter(
      (route) => !(route.pattern in EVERYBODYS_FORMS)
    )) {
      const { status, location } = await stranger.post(addressOf(pattern), {}, { token })
      if (status !== 303 || location !== '/login') found.push(`${pattern}: ${status} ${location}`)
    }
    assert.deepEqual(found, [])
  })

  test('are refused without their token, whoever sends them', async ({ assert }) => {
    const admin = await inside(await administrator())
    const stranger = new WebClient()
    await stranger.get('/login')
    const found: string[] = []
    for (const { pattern } of formRoutes()) {
      const visitor = pattern in EVERYBODYS_FORMS ? stranger : admin
      for (const token of [null, 'not-a-token']) {
        const { status } = await visitor.post(addressOf(pattern), {}, { token })
        if (status !== 403) found.push(`${pattern}: ${status}`)
      }
    }
    assert.deepEqual(found, [])
    // Not even signing out was done.
    const { status } = await admin.get('/account/password')
    assert.equal(status, 200)
  })

  test('take no text that databases cannot store, whichever field has it', async ({ assert }) => {
    const admin = await inside(await administrator())
    const stranger = new WebClient()
    const tokens = {
      stranger: await stranger.tokenOn('/login'),
      admin: await admin.tokenOn('/account/password'),
    }
    const found: string[] = []
    // The first run is over: its page leads away.
    for (const { pattern } of formRoutes().filter((route) => route.pattern !== '/setup')) {
      const isOpen = pattern in EVERYBODYS_FORMS
      const visitor = isOpen ? stranger : admin
      const token = isOpen ? tokens.stranger : tokens.admin
      const path = addressOf(pattern)
      const nul = await visitor.post(path, { 'a': '1', 'list[]': ['1', 'a\0b'] }, { token })
      const half = await visitor.postJson(path, { _csrf: token, list: ['a\ud800'] })
      const isRefused = nul.status === 400 && nul.html.includes('NUL characters')
      // Forms are never JSON, in which a text could hold half of a surrogate pair.
      if (!isRefused || half.status !== 415) found.push(`${pattern}: ${nul.status} ${half.status}`)
    }
    assert.deepEqual(found, [])
  })
})
