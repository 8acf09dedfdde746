import { configProvider } from '@adonisjs/core'
import { defineConfig } from '@adonisjs/session'
import { COOKIE, cookieName } from '#support/cookies'

/** Cookie of the session. It contains a signed random token; the database stores the sessions. */
export const SESSION_COOKIE = cookieName('zonewright')

export default defineConfig({
  enabled: true,
  cookieName: SESSION_COOKIE,
  // `app/web/session/store.ts` extends sessions that outlive the browser.
  clearWithBrowser: true,
  cookie: COOKIE,
  store: 'visitors',
  stores: {
    visitors: configProvider.create(async () => {
      const { SessionStore } = await import('#web/session/store')
      return (ctx) => new SessionStore(ctx)
    }),
  },
})
