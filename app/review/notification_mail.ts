import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import i18nManager from '@adonisjs/i18n/services/main'
import mail from '@adonisjs/mail/services/main'
import { authorize, type ZoneFacts } from '#access/authorize'
import { actorOfUser } from '#accounts/authenticate'
import { chosenBy } from '#accounts/preferences/preferences'
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
import { quoted } from '#review/quoted'
import { factsOfRequest } from '#review/request_zones'
import { reviewerCandidates } from '#review/reviewer_candidates'
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
interface Event {
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
    async review({ payload, zone_id: zoneId, zone_name: zoneName }: Event): Promise<void> {
      const news = JSON.parse(payload ?? 'null') as StoredNotification
      const request = sendsNotifications() ? await findRequest(news.request) : null
      if (!request || (news.what === 'filed' && (await isOneOfMany(request)))) {
        return
      }
      const users =
        news.what === 'filed' ? await reviewersOf(backend(), request) : authorOf(request, news)
      const mails = users.map((user) => ({
        kind: 'mail' as const,
        zoneId,
        zoneName,
        payload: { ...news, user } satisfies StoredMail,
      }))
      await inTransaction(db.connection(), (trx) => enqueue(trx, mails))
    },

    async mail({ payload }: Event): Promise<void> {
      const news = JSON.parse(payload ?? 'null') as StoredMail
      const request = sendsNotifications() ? await findRequest(news.request) : null
      // The request is decided already: there is nothing to review.
      const isOver = news.what === 'filed' && request?.status !== 'pending'
      const account = request && !isOver ? await accountOf(news.user) : null
      if (request && account && news.what === 'filed') {
        // The rights may have been revoked since: the content is for reviewers only.
        const facts = await factsOfRequest(backend(), request)
        if (!(await mayReview(news.user, facts))) return
      }
      if (request && account) {
        await send(request, news, account)
      }
    },
  }
}

/** Users who may decide the request, except for its author. */
async function reviewersOf(backend: DnsBackend, request: ChangeRequest): Promise<number[]> {
  const facts = await factsOfRequest(backend, request)
  const recipients: number[] = []
  for (const id of await reviewerCandidates(request)) {
    if ((await mayReview(id, facts)) && (await accountOf(id))) recipients.push(id)
    if (recipients.length >= MAX_RECIPIENTS) break
  }
  return recipients
}

async function mayReview(id: number, facts: ZoneFacts[]): Promise<boolean> {
  const user = await actorOfUser(id, 'job')
  return facts.every(
    (zone) => user?.active && authorize(user.actor, { action: 'zone.review', zone }).allowed
  )
}

/**
 * Whether its author filed so many requests before it in this hour that nobody is notified. It
 * counts requests, not mails, so that every worker and every retry has the same result.
 */
async function isOneOfMany({ id, requester, createdAt }: ChangeRequest): Promise<boolean> {
  const nth: { created_at: string } | null = await db
    .from('zw_change_requests')
    .where('requester_id', requester.id ?? 0)
    .where('id', '<', id)
    .orderBy('id', 'desc')
    .offset(MAX_FILED_PER_HOUR - 1)
    .select('created_at')
    .first()
  return nth !== null && hourOf(nth.created_at) === hourOf(createdAt)
}

/** The hour of a timestamp in ISO 8601. */
function hourOf(timestamp: string): string {
  return timestamp.slice(0, 13)
}

/** The author, unless they caused the event. */
function authorOf({ requester }: ChangeRequest, { by }: StoredNotification): number[] {
  return requester.id === null || requester.id === by ? [] : [requester.id]
}

interface Account {
  username: string
  email: string
  language: string | null
}

/** An account with a mail address and enabled mail; null without one. */
async function accountOf(id: number): Promise<Account | null> {
  const user: { username: string; email: string | null } | null = await db
    .from('zw_users')
    .where({ id, active: true })
    .select('username', 'email')
    .first()
  const { language, reviewMail } = await chosenBy(id)
  return user?.email && isMailAddress(user.email) && reviewMail !== false
    ? { username: user.username, email: user.email, language }
    : null
}

/**
 * The mail contains what the list of requests shows; the content of the zones is behind the link.
 */
async function send(
  request: ChangeRequest,
  { what }: StoredNotification,
  account: Account
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
            ...quotesOf(request, what, (who) => i18n.t('requests.mail_wrote', { who })),
            i18n.t('requests.mail_foot', values),
          ].join('\n\n') + '\n'
        )
    })
  } catch (error) {
    failed(error, request.id)
  }
}

/** Texts of users, quoted with their author; an error has no author. */
function quotesOf(
  { comment, error, requester, reviewComment, reviewer }: ChangeRequest,
  what: StoredNotification['what'],
  wrote: (who: string) => string
): string[] {
  if (what === 'filed') {
    return comment ? [wrote(requester.username), quoted(comment)] : []
  }
  if (error) {
    return [quoted(error)]
  }
  return reviewComment
    ? [...(reviewer ? [wrote(reviewer.username)] : []), quoted(reviewComment)]
    : []
}

/**
 * Returns if the mail server rejects the mail permanently, as a retry would fail. Else throws the
 * error for the retry.
 */
function failed(error: unknown, request: number): void {
  const err = withoutValues(error)
  switch (failureOf(error)) {
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
export function failureOf(error: unknown): 'refused' | 'put_off' | 'signed_out' | 'down' {
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
  const chosen = language ?? interfaceSettings.language
  const isKnown = i18nManager.supportedLocales().includes(chosen)
  return isKnown ? chosen : i18nManager.defaultLocale
}
