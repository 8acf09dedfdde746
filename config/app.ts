import type { IncomingMessage, ServerResponse } from 'node:http'
import { defineConfig } from '@adonisjs/core/http'
import { mendedTarget } from '#start/dyndns_paths'
import { failure } from '#transformers/envelope'

const MISSING = 'The requested resource was not found'

export const http = defineConfig({
  generateRequestId: true,
  allowMethodSpoofing: false,
  useAsyncLocalStorage: false,
  // Answers hold plain values and no cycles: what looks for those takes several times as long.
  serializeJSON: (payload: unknown) => JSON.stringify(payload),
  // Addresses reach the journal and the audit trail: only what the connection itself says counts.
  trustProxy: () => false,
  // A comma is part of its value: `sort` takes several fields, and texts that are looked for may have one.
  qs: { parse: { comma: false } },
  // A path that cannot be decoded reaches no middleware; it names nothing.
  onBadUrl(request: IncomingMessage, response: ServerResponse) {
    const mended = mendedTarget(request.url ?? '')
    if (mended !== null) {
      request.url = mended
      void import('@adonisjs/core/services/server').then(({ default: server }) =>
        server.handle(request, response)
      )
      return
    }
    const isApi = request.url?.startsWith('/api/v2/')
    response.writeHead(404, { 'Content-Type': isApi ? 'application/json' : 'text/plain' })
    response.end(isApi ? JSON.stringify(failure(MISSING)) : 'Not Found')
  },
})
