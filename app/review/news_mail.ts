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
import { tellsNews, type StoredNews } from '#changes/requests/notifications'
import { findRequest } from '#changes/requests/store'
import interfaceSettings from '#config/interface'
import smtp from '#config/smtp'
import { inTransaction } from '#database/transaction'
import { withoutValues } from '#exceptions/database_errors'
import { quoted } from '#review/quoted'
import { factsOfRequest } from '#review/request_zones'
import { reviewerCandidates } from '#review/reviewer_candidates'
import env from '#support/env'

/** Reviewers that are told of one request. */
const MOST_TOLD = 50

/** Requests of somebody in an hour of the clock of which reviewers are told; the list has the others. */
const MOST_FILED = 20

/** A mail of the outbox: no address and no text, which are those of the moment in which it is sent. */
type StoredMail = StoredNews & { user: number }

/** An event of the outbox, as far as it is read here. */
interface Event {
  zone_id: number | null
  zone_name: string
  payload: string | null
}

/**
 * What becomes of news of change requests: `review` finds who is to be told, and `mail` tells one of them. Both may come
 * twice. `mail` throws `BackendUnavailable` where the mail server cannot be reached, and `TryLater` where it does not take
 * this mail now.
 */
export function newsDeliveries(backend: () => DnsBackend) {
  return {
    async review({ payload, zone_id: zoneId, zone_name: zoneName }: Event): Promise<void> {
      const news = JSON.parse(payload ?? 'null') as StoredNews
      const request = tellsNews() ? await findRequest(news.request) : null
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
      const request = tellsNews() ? await findRequest(news.request) : null
      // Whoever was faster has decided it: there is nothing to review any more.
      const isOver = news.what === 'filed' && request?.status !== 'pending'
      const account = request && !isOver ? await accountOf(news.user) : null
      if (request && account && news.what === 'filed') {
        // Rights may have gone since it was filed: what it says is for reviewers alone.
        const facts = await factsOfRequest(backend(), request)
        if (!(await mayReview(news.user, facts))) return
      }
      if (request && account) {
        await send(request, news, account)
      }
    },
  }
}

/** Who may decide a request, and did not file it. */
async function reviewersOf(backend: DnsBackend, request: ChangeRequest): Promise<number[]> {
  const facts = await factsOfRequest(backend, request)
  const told: number[] = []
  for (const id of await reviewerCandidates(request)) {
    if ((await mayReview(id, facts)) && (await accountOf(id))) told.push(id)
    if (told.length >= MOST_TOLD) break
  }
  return told
}

async function mayReview(id: number, facts: ZoneFacts[]): Promise<boolean> {
  const user = await actorOfUser(id, 'job')
  return facts.every(
    (zone) => user?.active && authorize(user.actor, { action: 'zone.review', zone }).allowed
  )
}

/**
 * Whether its author filed so many in this hour before it that nobody is told of this one. It counts requests, and no mails, so that
 * it is the same for every worker and as often as it is asked.
 */
async function isOneOfMany({ id, requester, createdAt }: ChangeRequest): Promise<boolean> {
  const nth: { created_at: string } | null = await db
    .from('zw_change_requests')
    .where('requester_id', requester.id ?? 0)
    .where('id', '<', id)
    .orderBy('id', 'desc')
    .offset(MOST_FILED - 1)
    .select('created_at')
    .first()
  return nth !== null && hourOf(nth.created_at) === hourOf(createdAt)
}

/** Of a moment in ISO 8601. */
function hourOf(moment: string): string {
  return moment.slice(0, 13)
}

/** Who filed it, unless they did this themselves. */
function authorOf({ requester }: ChangeRequest, { by }: StoredNews): number[] {
  return requester.id === null || requester.id === by ? [] : [requester.id]
}

interface Account {
  username: string
  email: string
  language: string | null
}

/** Somebody who can be sent mail and wants it; null for nobody. */
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

/** What it says of the request is what its list says; what the zones hold is behind the link. */
async function send(request: ChangeRequest, { what }: StoredNews, account: Account): Promise<void> {
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
        .subject(i18n.t(`news.subject_${what}`, values))
        .text(
          [
            i18n.t(`news.mail_${what}`, values),
            ...saidOf(request, what, (who) => i18n.t('news.wrote', { who })),
            i18n.t('news.foot', values),
          ].join('\n\n') + '\n'
        )
    })
  } catch (error) {
    failed(error, request.id)
  }
}

/** What was written about it, marked as somebody else's words; what made it fail has no author. */
function saidOf(
  { comment, error, requester, reviewComment, reviewer }: ChangeRequest,
  what: StoredNews['what'],
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

/** Returns where the mail server says no to the mail for good: to try again changes nothing. Else throws what to do. */
function failed(error: unknown, request: number): void {
  const err = withoutValues(error)
  switch (failureOf(error)) {
    case 'refused':
      logger.warn({ err, request }, 'A mail was not taken')
      return
    case 'put_off':
      logger.warn({ err, request }, 'A mail was put off')
      throw new TryLater('The mail server does not take this mail now')
    case 'signed_out':
      logger.warn({ err }, 'Mail about change requests cannot be sent')
      throw new BackendUnavailable('The mail server refuses the sign-in')
    case 'down':
      logger.warn({ err }, 'Mail about change requests cannot be sent')
      throw new BackendUnavailable('The mail server cannot be reached')
  }
}

/**
 * What it means that a mail could not be sent. Of the codes of nodemailer, EENVELOPE is about MAIL FROM, RCPT TO and DATA,
 * EMESSAGE about the message; without an answer of the server (RFC 5321, 4.2.1) the address itself is none.
 */
export function failureOf(error: unknown): 'refused' | 'put_off' | 'signed_out' | 'down' {
  const cause: unknown = error instanceof Error && error.cause ? error.cause : error
  const { responseCode, code } = cause as { responseCode?: number; code?: unknown }
  // 530: it wants a sign-in first (RFC 4954, 6).
  if (code === 'EAUTH' || responseCode === 530) {
    return 'signed_out'
  }
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') {
    return 'down'
  }
  if (responseCode === undefined || (responseCode >= 500 && responseCode < 600)) {
    return 'refused'
  }
  // 421: it takes no mail at all now.
  return responseCode >= 400 && responseCode !== 421 ? 'put_off' : 'down'
}

function localeOf(language: string | null): string {
  const chosen = language ?? interfaceSettings.language
  const isKnown = i18nManager.supportedLocales().includes(chosen)
  return isKnown ? chosen : i18nManager.defaultLocale
}
