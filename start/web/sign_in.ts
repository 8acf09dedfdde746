import router from '@adonisjs/core/services/router'
import type { GetControllerHandlers } from '@adonisjs/core/types/http'
import { middleware } from '#start/kernel'

/** Routes of pages that everybody may look at. Nothing of this runs for the other channels. */
export function pages(routes: () => void) {
  return router.group(routes).as('web').use([
    middleware.page(),
    middleware.singleValues(),
    middleware.session(),
    middleware.visitor(),
    middleware.firstRun(),
    // Bodies are read once it is known who sends them.
    middleware.smallForm(),
    middleware.formBody(),
    middleware.form(),
    middleware.shield(),
    middleware.wholeText(),
  ])
}

/** Routes of pages that take a sign-in: what strangers send is not read, they are led to it. */
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

/** Routes of forms that carry files and whole zones: they are read for nobody who did not sign in. */
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
 * A form that writes nothing and is answered by a page, which can be come back to: it has an address of its own
 * (`app/middleware/stored_form_middleware.ts`). Within one of the above.
 */
export function answeredByPage<Controller extends new (...args: never[]) => object>(
  path: string,
  handler: [() => Promise<{ default: Controller }>, GetControllerHandlers<Controller>]
): void {
  router.post(path, handler).use(middleware.storedForm())
  // Its own name would be that of the form.
  const result = router.get(`${path}/results/:result`, handler).use(middleware.storedForm())
  result.as(`result.${path}`)
}
