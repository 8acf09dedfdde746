import type { HttpContext } from '@adonisjs/core/http'
import i18nManager from '@adonisjs/i18n/services/main'
import {
  loadChosenPreferences,
  storePreferences,
  DEFAULT_PREFERENCES,
  THEMES,
} from '#accounts/preferences/preferences'
import { ROWS_PER_PAGE } from '#config/interface'
import { sendsNotifications } from '#changes/requests/notifications'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { preferencesForm } from '#validators/web/account'
import { accountTabs } from '#web/page/account_tabs'
import { goTo } from '#web/page/page'
import { currentUser } from '#web/session/current_user'

/** /account/preferences */
export default class PreferencesController {
  async edit(ctx: HttpContext) {
    const { rowsPerPage, theme, timeZone, language, reviewMail } = await loadChosenPreferences(
      currentUser(ctx).actor.userId
    )
    return page(ctx, {
      rows_per_page: rowsPerPage === null ? '' : String(rowsPerPage),
      theme: theme ?? '',
      time_zone: timeZone ?? '',
      language: language ?? '',
      review_mail: reviewMail === null ? '' : reviewMail ? 'on' : 'off',
    })
  }

  async update(ctx: HttpContext) {
    const form = await ctx.request.validateUsing(preferencesForm)
    const { userId } = currentUser(ctx).actor
    const { reviewMail } = await loadChosenPreferences(userId)
    const locales = i18nManager.supportedLocales()
    try {
      await storePreferences(userId, {
        rowsPerPage: form.rows_per_page ? Number(form.rows_per_page) : null,
        theme: THEMES.find((theme) => theme === form.theme) ?? null,
        timeZone: form.time_zone || null,
        // The form has this field only if mail is enabled.
        reviewMail:
          form.review_mail === undefined
            ? reviewMail
            : form.review_mail === ''
              ? null
              : form.review_mail === 'on',
        language: locales.find((locale) => locale === form.language) ?? null,
      })
    } catch (error) {
      return page(ctx, form, formProblem(ctx, error))
    }
    return goTo(ctx, '/account/preferences', ctx.i18n.t('account.preferences_saved'))
  }
}

function page(ctx: HttpContext, values: object, problem: FormProblem | null = null) {
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/account/preferences', {
    tabs: accountTabs('preferences'),
    values,
    problem,
    defaults: DEFAULT_PREFERENCES,
    rows: ROWS_PER_PAGE,
    themes: THEMES,
    zones: ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')],
    hasReviewMail: sendsNotifications(),
    languages: i18nManager.supportedLocales(),
  })
}
