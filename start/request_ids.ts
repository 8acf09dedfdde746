import { HttpRequest } from '@adonisjs/core/http'

/** What an id of a request may be: it stands in the log and in the answer. */
const WELL_FORMED = /^[\w.:+/=@-]{1,128}$/

/** Whether the id that a client gives its request is taken over. */
export function isRequestId(text: string | undefined): boolean {
  return text !== undefined && WELL_FORMED.test(text)
}

/** Replaces a malformed `X-Request-Id` of a client by an id of its own, before anything reads it. */
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
