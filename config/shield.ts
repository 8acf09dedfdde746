import { defineConfig } from '@adonisjs/shield'

// Forms of the web interface only: its routes alone have the middleware. Headers are app/web/page/security_headers.ts.
export default defineConfig({
  csrf: { enabled: true, enableXsrfCookie: false, methods: ['POST', 'PUT', 'PATCH', 'DELETE'] },
  csp: { enabled: false },
  hsts: { enabled: false },
  contentTypeSniffing: { enabled: false },
  xFrame: { enabled: false },
})
