import { defineConfig } from '@adonisjs/shield'

// For forms of the web interface; only its routes have the middleware. app/web/page/security_headers.ts sets the headers.
export default defineConfig({
  csrf: { enabled: true, enableXsrfCookie: false, methods: ['POST', 'PUT', 'PATCH', 'DELETE'] },
  csp: { enabled: false },
  hsts: { enabled: false },
  contentTypeSniffing: { enabled: false },
  xFrame: { enabled: false },
})
