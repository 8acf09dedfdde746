import type { IncomingMessage, ServerResponse } from 'node:http'
import { defineConfig } from '@adonisjs/core/http'
import { failure } from '#transformers/envelope'

const MISSING = 'The requested resource was not found'

export const http = defineConfig({
  generateRequestId: true,
  allowMethodSpoofing: false,
  useAsyncLocalStorage: false,
  // Addresses reach the journal and the audit trail: only what the connection itself says counts.
  trustProxy: () => false,
  // A path that cannot be decoded reaches no middleware; it names nothing.
  onBadUrl(request: IncomingMessage, response: ServerResponse) {
    const isApi = request.url?.startsWith('/api/v2/')
    response.writeHead(404, { 'Content-Type': isApi ? 'application/json' : 'text/plain' })
    response.end(isApi ? JSON.stringify(failure(MISSING)) : 'Not Found')
  },
})
