import { configProvider } from '@adonisjs/core'
import { defineConfig } from '@adonisjs/session'
import { COOKIE, cookieName } from '#support/cookies'

/** Cookie of the session. It holds a random token, signed; sessions themselves are in the database. */
export const SESSION_COOKIE = cookieName('zonewright')

export default defineConfig({
  enabled: true,
  cookieName: SESSION_COOKIE,
  // Sessions that are to outlive the browser say so themselves (app/web/session/store.ts).
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
