import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import i18nManager from '@adonisjs/i18n/services/main'
import mail from '@adonisjs/mail/services/main'
import { loadChosenPreferences } from '#accounts/preferences/preferences'
import { createReset, type NewReset } from '#accounts/password_reset/requests'
import { anonymousActor } from '#audit/event'
import { record } from '#audit/record'
import interfaceSettings from '#config/interface'
import security from '#config/security'
import smtp from '#config/smtp'
import env from '#support/env'

/** Maximum of waiting mails of this process; further ones are dropped. */
const MAX_WAITING = 50

const waiting = new Set<Promise<void>>()
/** Settles when the previous request was counted: the limits apply to concurrent requests in order. */
let before: Promise<unknown> = Promise.resolve()

/**
 * Sends a link for a new password to the user with that name or address, if allowed. Returns at once and never throws: its
 * behaviour does not show whether the user exists.
 *
 * @param request the typed text, the client address, and the language of the page
 */
export function sendReset(request: {
  usernameOrEmail: string
  address: string
  locale: string
}): void {
  if (waiting.size >= MAX_WAITING) {
    logger.warn('Password link skipped: too many links are waiting')
    return
  }
  const sending = sendResetMail(request)
    .catch((error: unknown) => {
      logger.error({ err: error }, 'Sending of a password link failed')
    })
    .finally(() => waiting.delete(sending))
  waiting.add(sending)
}

async function sendResetMail(request: {
  usernameOrEmail: string
  address: string
  locale: string
}): Promise<void> {
  const turn = before.then(() => createReset(request.usernameOrEmail))
  before = turn.catch(() => null)
  const reset = await turn
  if (!reset) {
    return
  }
  const { id, username } = reset.account
  const event = {
    action: 'user.reset_asked',
    object: { kind: 'user', id, name: username },
  } as const
  const actor = anonymousActor(request.address, 'web')
  try {
    const { language } = await loadChosenPreferences(id)
    await send(reset, language ?? request.locale)
  } catch (error) {
    await record(db.connection(), actor, { ...event, outcome: 'failed' })
    throw error
  }
  await record(db.connection(), actor, event)
}

async function send({ account, token }: NewReset, locale: string): Promise<void> {
  const { t } = speaking(locale)
  const brand = interfaceSettings.title
  const link = new URL(`/password/reset?token=${token}`, env.get('APP_URL')).href
  const minutes = security.password_reset.valid_minutes
  await mail.send((message) => {
    message
      .from(smtp.from, brand)
      .to(account.email)
      .subject(t('password.reset_subject', { brand }))
      .text(t('password.reset_mail', { brand, name: account.username, link, minutes }))
  })
}

function speaking(locale: string) {
  const isKnown = i18nManager.supportedLocales().includes(locale)
  const i18n = i18nManager.locale(isKnown ? locale : i18nManager.defaultLocale)
  return { t: i18n.t.bind(i18n) }
}
