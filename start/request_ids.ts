import { HttpRequest } from '@adonisjs/core/http'

/** Allowed request ids: logs and responses contain them. */
const VALID_REQUEST_ID = /^[\w.:+/=@-]{1,128}$/

/** Returns whether the request id of a client is used. */
export function isRequestId(text: string | undefined): boolean {
  return text !== undefined && VALID_REQUEST_ID.test(text)
}

/** Replaces a malformed `X-Request-Id` of a client by a generated id, before anything reads it. */
export function checkRequestIds(): void {
  const id = Reflect.get(HttpRequest.prototype, 'id') as HttpRequest['id']
  HttpRequest.prototype.id = function (this: HttpRequest) {
    const { headers } = this.request
    if (!isRequestId(headers['x-request-id']?.toString())) {
      delete headers['x-request-id']
    }
    return id.call(this)
  }
}
