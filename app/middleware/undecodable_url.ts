import type { IncomingMessage, ServerResponse } from 'node:http'
import { failure } from '#transformers/envelope'
import { decodableTarget } from '#zones/dynamic_dns/endpoint_paths'

const NOT_FOUND_MESSAGE = 'The requested resource was not found'

/**
 * Answers a request whose path cannot be decoded, before any middleware runs. Dynamic DNS devices send such paths to
 * the update endpoint; all others get a 404.
 */
export function answerUndecodableUrl(request: IncomingMessage, response: ServerResponse): void {
  const target = decodableTarget(request.url ?? '')
  if (target !== null) {
    request.url = target
    void import('@adonisjs/core/services/server').then(({ default: server }) =>
      server.handle(request, response)
    )
    return
  }
  const isApi = request.url?.startsWith('/api/v2/')
  response.writeHead(404, { 'Content-Type': isApi ? 'application/json' : 'text/plain' })
  response.end(isApi ? JSON.stringify(failure(NOT_FOUND_MESSAGE)) : 'Not Found')
}
