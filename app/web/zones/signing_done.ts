import type { HttpContext } from '@adonisjs/core/http'
import { goTo } from '#web/page/page'

/**
 * Redirects to the DNSSEC page with a message, and with the reason of the name server if it refused the next step.
 *
 * @param done key of the message
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
