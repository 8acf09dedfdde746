import type { HttpContext } from '@adonisjs/core/http'
import { goTo } from '#web/page/page'

/**
 * Goes back to the page that says how a zone is signed, with what was done, and with the name server's own words where it
 * refused what has to follow.
 *
 * @param done key of the text that says what was done
 */
export function backToSigning(
  ctx: HttpContext,
  { id }: { id: number },
  done: string,
  unfinished: string | null = null
): void {
  const text = ctx.i18n.t(done)
  const path = `/zones/${id}/dnssec`
  if (unfinished === null) {
    return goTo(ctx, path, text)
  }
  goTo(ctx, path, ctx.i18n.t('dnssec.unfinished', { done: text, reason: unfinished }), 'warning')
}
