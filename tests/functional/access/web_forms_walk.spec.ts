import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'
import { administrator } from '#tests/support/app/people/people'
import type { Props } from '#tests/support/access/matrix_row'
import { signedIn, WebClient } from '#tests/support/web/client'
import { COUNTERPARTS } from '#tests/support/web/counterparts/all'
import { EVERYBODYS_FORMS, OTHER_FORMS } from '#tests/support/web/other_forms'

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE']

/** Routes that are not pages: the API, the health checks, the endpoint for routers. */
const OTHER_CHANNELS = /^\/(api(\/|$)|ping$)|\/(nic\/update|dynamic_update)/

/** Returns every route of the web interface that accepts data. */
function formRoutes(): { method: string; pattern: string }[] {
  return Object.values(router.toJSON())
    .flat()
    .filter(({ pattern }) => !OTHER_CHANNELS.test(pattern))
    .flatMap(({ methods, pattern }) => methods.map((method) => ({ method, pattern })))
    .filter(({ method }) => WRITES.includes(method))
}

/** Patterns of routes in matching order: patterns without parameters first. */
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

/** Every property is 1. Only for building addresses. */
const ANY = new Proxy({}, { get: () => '1' }) as Props

/** Returns the routes of the web interface that correspond to a writing API operation. */
function mirrored(): Set<string> {
  const patterns = ordered()
  const found = Object.entries(COUNTERPARTS).flatMap(([title, counterpart]) =>
    'none' in counterpart || title.startsWith('GET ')
      ? []
      : (routeOf(counterpart.path(ANY), patterns) ?? `no route: ${title}`)
  )
  return new Set(found)
}

/** Returns an address of the route with a missing object. */
const addressOf = (pattern: string) => pattern.replaceAll(/:\w+/g, '999999999')

test.group('Forms of the web interface', (group) => {
  // Without a user, every page redirects to the first run.
  group.setup(async () => {
    await administrator()
  })

  test('every form uses POST, and corresponds to an API operation or has a reason', ({
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

  test('a form without a session redirects to the sign-in and changes nothing', async ({
    assert,
  }) => {
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

  test('a form without its token gets 403 for every visitor', async ({ assert }) => {
    const admin = await signedIn(await administrator())
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
    // The sign-out form was refused too.
    const { status } = await admin.get('/account/password')
    assert.equal(status, 200)
  })

  test('a form with text that databases cannot store gets 400, in every field', async ({
    assert,
  }) => {
    const admin = await signedIn(await administrator())
    const stranger = new WebClient()
    const tokens = {
      stranger: await stranger.tokenOn('/login'),
      admin: await admin.tokenOn('/account/password'),
    }
    const found: string[] = []
    // The setup page redirects after the first run.
    for (const { pattern } of formRoutes().filter((route) => route.pattern !== '/setup')) {
      const isOpen = pattern in EVERYBODYS_FORMS
      const visitor = isOpen ? stranger : admin
      const token = isOpen ? tokens.stranger : tokens.admin
      const path = addressOf(pattern)
      const nul = await visitor.post(path, { 'a': '1', 'list[]': ['1', 'a\0b'] }, { token })
      const half = await visitor.postJson(path, { _csrf: token, list: ['a\ud800'] })
      const isRefused = nul.status === 400 && nul.html.includes('NUL characters')
      // Forms are never JSON, so a text cannot contain a lone surrogate.
      if (!isRefused || half.status !== 415) found.push(`${pattern}: ${nul.status} ${half.status}`)
    }
    assert.deepEqual(found, [])
  })
})
