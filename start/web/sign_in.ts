import router from '@adonisjs/core/services/router'
import type { GetControllerHandlers } from '@adonisjs/core/types/http'
import { middleware } from '#start/kernel'

/** Routes of pages without sign-in. Their middleware runs for no other channel. */
export function pages(routes: () => void) {
  return router.group(routes).as('web').use([
    middleware.page(),
    middleware.singleValues(),
    middleware.session(),
    middleware.visitor(),
    middleware.firstRun(),
    // The size limit of bodies depends on the user, so they are read after the session.
    middleware.smallForm(),
    middleware.formBody(),
    middleware.form(),
    middleware.shield(),
    middleware.wholeText(),
  ])
}

/** Routes of pages that need a sign-in. Without one, the body is not read, and the response redirects to the sign-in page. */
export function signedInPages(routes: () => void) {
  router
    .group(routes)
    .as('web')
    .use([
      middleware.page(),
      middleware.singleValues(),
      middleware.session(),
      middleware.visitor(),
      middleware.firstRun(),
      middleware.signedIn(),
      middleware.heavyRequests(),
      middleware.formBody(),
      middleware.form(),
      middleware.shield(),
      middleware.wholeText(),
    ])
    .where('id', /^(0|[1-9]\d*)$/)
    .where('keyId', /^[1-9]\d*$/)
    .where('entry', /^[1-9]\d{0,8}$/)
    .where('recordId', /^[A-Za-z0-9_\-=.]+$/)
}

/** Routes of forms with files and whole zones. Their bodies are read only for signed-in users. */
export function signedInUploads(routes: () => void) {
  router
    .group(routes)
    .as('web.uploads')
    .use([
      middleware.page(),
      middleware.singleValues(),
      middleware.session(),
      middleware.visitor(),
      middleware.signedIn(),
      middleware.heavyRequests(),
      middleware.upload(),
      middleware.shield(),
      middleware.wholeText(),
    ])
    .where('id', /^(0|[1-9]\d*)$/)
}

/**
 * A form that changes nothing and whose result is a page. The result has a URL, so that users can return to it
 * (`app/middleware/stored_form_middleware.ts`). Call it within one of the groups above.
 */
export function answeredByPage<Controller extends new (...args: never[]) => object>(
  path: string,
  handler: [() => Promise<{ default: Controller }>, GetControllerHandlers<Controller>]
): void {
  router.post(path, handler).use(middleware.storedForm())
  // Without this name it would have that of the form.
  const result = router.get(`${path}/results/:result`, handler).use(middleware.storedForm())
  result.as(`result.${path}`)
}
