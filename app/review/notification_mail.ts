import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import i18nManager from '@adonisjs/i18n/services/main'
import mail from '@adonisjs/mail/services/main'
import { authorize, type ZoneFacts } from '#access/authorize'
import { findActorOfUser } from '#accounts/authenticate'
import { loadChosenPreferences } from '#accounts/preferences/preferences'
import { isMailAddress } from '#accounts/users/mail_address'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendUnavailable } from '#backends/contract/errors'
import { enqueue, TryLater } from '#changes/transaction/outbox'
import type { ChangeRequest } from '#changes/model/change_request'
import { sendsNotifications, type StoredNotification } from '#changes/requests/notifications'
import { findRequest } from '#changes/requests/store'
import interfaceSettings from '#config/interface'
import smtp from '#config/smtp'
import { inTransaction } from '#database/transaction'
import { withoutValues } from '#exceptions/database_errors'
import { quoteText } from '#review/quoted'
import { loadRequestFacts } from '#review/request_zones'
import { findReviewerCandidates } from '#review/reviewer_candidates'
import env from '#support/env'

/** Maximum of reviewers that are notified of one request. */
const MAX_RECIPIENTS = 50

/**
 * Requests of an author per hour of the clock that reviewers are notified of; the list contains
 * all.
 */
const MAX_FILED_PER_HOUR = 20

/** A mail of the outbox. Address and text are read when it is sent. */
type StoredMail = StoredNotification & { user: number }

/** The columns of an outbox event that are read here. */
interface OutboxEvent {
  zone_id: number | null
  zone_name: string
  payload: string | null
}

/**
 * Deliveries of notifications: `review` finds the recipients, `mail` sends to one of them. Both may
 * run twice. `mail` throws `BackendUnavailable` if the mail server is unavailable, and `TryLater`
 * if it does not accept this mail now.
 */
export function notificationDeliveries(backend: () => DnsBackend) {
  return {
    async review({ payload, zone_id: zoneId, zone_name: zoneName }: OutboxEvent): Promise<void> {
      const notification = JSON.parse(payload ?? 'null') as StoredNotification
      const request = sendsNotifications() ? await findRequest(notification.request) : null
      if (!request || (notification.what === 'filed' && (await isAboveHourlyLimit(request)))) {
        return
      }
      const users =
        notification.what === 'filed'
          ? await findReviewers(backend(), request)
          : authorToNotify(request, notification)
      const mails = users.map((user) => ({
        kind: 'mail' as const,
        zoneId,
        zoneName,
        payload: { ...notification, user } satisfies StoredMail,
      }))
      await inTransaction(db.connection(), (trx) => enqueue(trx, mails))
    },

    async mail({ payload }: OutboxEvent): Promise<void> {
      const notification = JSON.parse(payload ?? 'null') as StoredMail
      const request = sendsNotifications() ? await findRequest(notification.request) : null
      // The request is decided already: there is nothing to review.
      const isDecided = notification.what === 'filed' && request?.status !== 'pending'
      const account = request && !isDecided ? await findMailAccount(notification.user) : null
      if (request && account && notification.what === 'filed') {
        // The rights may have been revoked since: the content is for reviewers only.
        const facts = await loadRequestFacts(backend(), request)
        if (!(await canReview(notification.user, facts))) return
      }
      if (request && account) {
        await sendMail(request, notification, account)
      }
    },
  }
}

/** Users who may decide the request, except for its author. */
async function findReviewers(backend: DnsBackend, request: ChangeRequest): Promise<number[]> {
  const facts = await loadRequestFacts(backend, request)
  const recipients: number[] = []
  for (const id of await findReviewerCandidates(request)) {
    if ((await canReview(id, facts)) && (await findMailAccount(id))) recipients.push(id)
    if (recipients.length >= MAX_RECIPIENTS) break
  }
  return recipients
}

async function canReview(id: number, facts: ZoneFacts[]): Promise<boolean> {
  const user = await findActorOfUser(id, 'job')
  return facts.every(
    (zone) => user?.active && authorize(user.actor, { action: 'zone.review', zone }).allowed
  )
}

/**
 * Whether its author filed so many requests before it in this hour that nobody is notified. It
 * counts requests, not mails, so that every worker and every retry has the same result.
 */
async function isAboveHourlyLimit({ id, requester, createdAt }: ChangeRequest): Promise<boolean> {
  const limitRow: { created_at: string } | null = await db
    .from('zw_change_requests')
    .where('requester_id', requester.id ?? 0)
    .where('id', '<', id)
    .orderBy('id', 'desc')
    .offset(MAX_FILED_PER_HOUR - 1)
    .select('created_at')
    .first()
  return limitRow !== null && hourOf(limitRow.created_at) === hourOf(createdAt)
}

/** The hour of a timestamp in ISO 8601. */
function hourOf(timestamp: string): string {
  return timestamp.slice(0, 13)
}

/** The author, unless they caused the event. */
function authorToNotify({ requester }: ChangeRequest, { by }: StoredNotification): number[] {
  return requester.id === null || requester.id === by ? [] : [requester.id]
}

interface MailAccount {
  username: string
  email: string
  language: string | null
}

/** An account with a mail address and enabled mail; null without one. */
async function findMailAccount(id: number): Promise<MailAccount | null> {
  const user: { username: string; email: string | null } | null = await db
    .from('zw_users')
    .where({ id, active: true })
    .select('username', 'email')
    .first()
  const { language, reviewMail } = await loadChosenPreferences(id)
  return user?.email && isMailAddress(user.email) && reviewMail !== false
    ? { username: user.username, email: user.email, language }
    : null
}

/**
 * The mail contains what the list of requests shows; the content of the zones is behind the link.
 */
async function sendMail(
  request: ChangeRequest,
  { what }: StoredNotification,
  account: MailAccount
): Promise<void> {
  const i18n = i18nManager.locale(localeOf(account.language))
  const brand = interfaceSettings.title
  const [zone] = request.zones
  const values = {
    brand,
    id: String(request.id),
    name: account.username,
    zone: zone.name,
    more: request.zones.length - 1,
    count: request.actions.length,
    requester: request.requester.username,
    reviewer: request.reviewer?.username ?? '',
    link: new URL(`/requests/${request.id}`, env.get('APP_URL')).href,
  }
  try {
    await mail.send((message) => {
      message
        .from(smtp.from, brand)
        .to(account.email)
        .subject(i18n.t(`requests.mail_subject_${what}`, values))
        .text(
          [
            i18n.t(`requests.mail_text_${what}`, values),
            ...quoteTexts(request, what, (who) => i18n.t('requests.mail_wrote', { who })),
            i18n.t('requests.mail_foot', values),
          ].join('\n\n') + '\n'
        )
    })
  } catch (error) {
    handleMailError(error, request.id)
  }
}

/** Texts of users, quoted with their author; an error has no author. */
function quoteTexts(
  { comment, error, requester, reviewComment, reviewer }: ChangeRequest,
  event: StoredNotification['what'],
  authorLine: (who: string) => string
): string[] {
  if (event === 'filed') {
    return comment ? [authorLine(requester.username), quoteText(comment)] : []
  }
  if (error) {
    return [quoteText(error)]
  }
  return reviewComment
    ? [...(reviewer ? [authorLine(reviewer.username)] : []), quoteText(reviewComment)]
    : []
}

/**
 * Returns if the mail server rejects the mail permanently, as a retry would fail. Else throws the
 * error for the retry.
 */
function handleMailError(error: unknown, request: number): void {
  const err = withoutValues(error)
  switch (classifyMailError(error)) {
    case 'refused':
      logger.warn({ err, request }, 'Email rejected by the mail server')
      return
    case 'put_off':
      logger.warn({ err, request }, 'Email postponed by the mail server')
      throw new TryLater('The mail server does not accept this email now')
    case 'signed_out':
      logger.warn({ err }, 'Sending of email about change requests failed')
      throw new BackendUnavailable('The mail server rejects the credentials')
    case 'down':
      logger.warn({ err }, 'Sending of email about change requests failed')
      throw new BackendUnavailable('The mail server cannot be reached')
  }
}

/**
 * Classifies a mail error. Of the codes of nodemailer, EENVELOPE concerns MAIL FROM, RCPT TO and
 * DATA, EMESSAGE the message. Without an answer of the server (RFC 5321, 4.2.1), the address itself
 * is invalid.
 */
export function classifyMailError(error: unknown): 'refused' | 'put_off' | 'signed_out' | 'down' {
  const cause: unknown = error instanceof Error && error.cause ? error.cause : error
  const { responseCode, code } = cause as { responseCode?: number; code?: unknown }
  // 530: authentication required (RFC 4954, 6).
  if (code === 'EAUTH' || responseCode === 530) {
    return 'signed_out'
  }
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') {
    return 'down'
  }
  if (responseCode === undefined || (responseCode >= 500 && responseCode < 600)) {
    return 'refused'
  }
  // 421: the service is not available at all.
  return responseCode >= 400 && responseCode !== 421 ? 'put_off' : 'down'
}

function localeOf(language: string | null): string {
  const preferredLocale = language ?? interfaceSettings.language
  const isKnown = i18nManager.supportedLocales().includes(preferredLocale)
  return isKnown ? preferredLocale : i18nManager.defaultLocale
}
