import type { HttpContext } from '@adonisjs/core/http'
import i18nManager from '@adonisjs/i18n/services/main'
import type { I18n } from '@adonisjs/i18n'
import { approval } from '#access/approval'
import { DEFAULT_PREFERENCES } from '#accounts/preferences/preferences'
import apiSettings from '#config/api'
import interfaceSettings from '#config/interface'
import { withoutValues } from '#exceptions/database_errors'
import { countWaiting } from '#review/request_list'
import { readRecentEnd } from '#events/feed'
import type { Effect } from '#dns/effects'
import { effectText } from '#transformers/plan_words'
import { assets } from '#web/framework/assets'
import { attributesText } from '#web/page/attributes'
import { helpHref } from '#web/help/help_links'
import { navigation, accountNavigation, sectionTabs } from '#web/page/navigation'
import { durationText, ttlText } from '#web/format/durations'
import { timestampTexts } from '#web/format/dates'
import { formToken } from '#web/forms/form_token'
import { searchGrammar } from '#web/palette/search_grammar'
import { TOAST } from '#web/session/store'
import { zoneKindText } from '#web/format/kinds'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** Translates texts into the language of the user. */
    i18n: I18n
  }
}

/** A message that the next page shows once. */
export interface Toast {
  kind: 'done' | 'warning' | 'error'
  text: string
  /** A form in the toast, such as undo. */
  action?: { label: string; url: string }
  /** A page that the toast leads to. */
  link?: { label: string; url: string }
  /** Id of a zone whose draft was applied, and is forgotten. */
  applied?: number
}

/** A message in the session, with its time in ms since 1970. */
type StoredToast = Toast & { at: number }

/** Lifetime of a message that no page displayed. An object, so that tests can shorten it. */
export const TOAST_LIFETIME = { ms: 5 * 60_000 }

const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur'])

/** Data of all templates that do not depend on the user. */
export function shareBasics(ctx: HttpContext, nonce: string): void {
  const files = assets({ fresh: true })
  setLocale(ctx, null)
  ctx.view.share({
    nonce,
    asset: (name: string) => files.url(name),
    attributes: attributesText,
    formToken,
    brand: interfaceSettings.title,
    theme: DEFAULT_PREFERENCES.theme,
    user: null,
    nav: [],
    accountNav: [],
    helpHref: '/help',
    section: [],
    scheduling: () => ({ isOn: false, timeZone: DEFAULT_PREFERENCES.timeZone, typed: '' }),
    waitingRequests: () => Promise.resolve(0),
    apiDocs: apiSettings.docs_enabled,
    toasts: () => [],
    moment: (at: string) => timestampTexts(ctx.i18n.locale, DEFAULT_PREFERENCES.timeZone, at),
    number: (value: number) => ctx.i18n.formatNumber(value),
    ttlText,
    zoneKind: (kind: string) => zoneKindText(ctx.i18n, kind),
    searchGrammar: () => searchGrammar(ctx.i18n),
    effectText: (effect: Effect) => effectText(ctx.i18n, effect),
    duration: (seconds: number) => durationText(ctx.i18n.locale, seconds),
  })
}

/** Data of templates that depend on the user. */
export async function shareVisitor(ctx: HttpContext): Promise<void> {
  const { preferences, request } = ctx
  setLocale(ctx, preferences.language)
  ctx.view.share({
    theme: preferences.theme,
    user: ctx.signedIn && {
      name: ctx.actor.username,
      id: ctx.signedIn.userId,
      template: ctx.actor.template ?? null,
    },
    nav: ctx.signedIn ? navigation(ctx.actor, request.url()) : [],
    helpHref: helpHref(ctx.route?.pattern ?? ''),
    accountNav: ctx.signedIn ? accountNavigation(ctx.actor, request.url()) : [],
    section: ctx.signedIn ? sectionTabs(ctx.actor, request.url()) : [],
    waitingRequests: () => waitingRequests(ctx),
    scheduling: () => scheduling(ctx),
    toasts: () => takeToasts(ctx),
    liveFrom: ctx.signedIn && {
      at: new Date().toISOString(),
      position: await readRecentEnd(),
      isForm: request.method() === 'POST',
    },
    moment: (at: string) => timestampTexts(ctx.i18n.locale, preferences.timeZone, at),
  })
}

/**
 * Shows a message on the next page. Not a flash message, which ends with the next request: requests for suggestions, and other
 * windows, would discard it.
 */
export function toast({ session }: HttpContext, message: Toast): void {
  session.put(TOAST, { ...message, at: Date.now() } satisfies StoredToast)
}

/** Returns and removes the waiting message. */
function takeToasts({ session }: HttpContext): (Toast & { isOld: boolean })[] {
  // Removing a missing message would write the session, over changes of other windows.
  if (!session.has(TOAST)) {
    return []
  }
  const { at, ...message } = session.pull(TOAST) as StoredToast
  return [{ ...message, isOld: Date.now() - at > TOAST_LIFETIME.ms }]
}

/** Whether a filed change can have a time of application, with the time zone and the typed time. */
function scheduling({ preferences, request }: HttpContext) {
  return {
    isOn: approval.isEnabled && approval.settings.allow_scheduling,
    timeZone: preferences.timeZone,
    typed: String(request.input('apply_at', '') ?? ''),
  }
}

/** Ends a form: redirects to another page (303), which displays `text` once if it is set. */
export function goTo(
  ctx: HttpContext,
  path: string,
  text?: string,
  kind: Toast['kind'] = 'done'
): void {
  if (text !== undefined) toast(ctx, { kind, text })
  ctx.response.redirect().status(303).toPath(path)
}

/** Number of change requests that the visitor can decide, for the navigation. 0 if it cannot be read: pages work without it. */
async function waitingRequests({ actor, signedIn, logger }: HttpContext): Promise<number> {
  try {
    return signedIn ? await countWaiting(actor) : 0
  } catch (error) {
    logger.warn({ err: withoutValues(error) }, 'Counting of pending change requests failed')
    return 0
  }
}

/** Sets the language: that of the user, of the browser, or of the installation. */
function setLocale(ctx: HttpContext, chosen: string | null): void {
  const asked = ctx.request.language(i18nManager.supportedLocales())
  const known = [chosen, asked, interfaceSettings.language].find(
    (locale) => locale !== null && i18nManager.supportedLocales().includes(locale)
  )
  const locale = known ?? i18nManager.defaultLocale
  ctx.i18n = i18nManager.locale(locale)
  ctx.view.share({
    i18n: ctx.i18n,
    lang: locale,
    dir: RIGHT_TO_LEFT.has(locale.split('-')[0]) ? 'rtl' : 'ltr',
  })
}
