import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import i18nManager from '@adonisjs/i18n/services/main'
import mail from '@adonisjs/mail/services/main'
import { authorize, type ZoneFacts } from '#access/authorize'
import { PERMISSIONS, type Permission } from '#access/permissions'
import { actorOfUser } from '#accounts/authenticate'
import { chosenBy } from '#accounts/preferences/preferences'
import type { DnsBackend } from '#backends/contract'
import { BackendUnavailable } from '#backends/errors'
import { enqueue } from '#changes/outbox'
import type { ChangeRequest } from '#changes/requests/change_request'
import { tellsNews, type StoredNews } from '#changes/requests/news'
import { findRequest } from '#changes/requests/request_store'
import interfaceSettings from '#config/interface'
import smtp from '#config/smtp'
import { inTransaction } from '#database/transaction'
import { withoutValues } from '#exceptions/database_errors'
import { factsOfRequest } from '#review/request_zones'
import env from '#start/env'

/** Reviewers that are told of one request, and users who are looked at for it. */
const MOST_TOLD = 50
const MOST_LOOKED_AT = 500

/** Requests of somebody in an hour of the clock of which reviewers are told; the list has the others. */
const MOST_FILED = 20

/** Who has none of these reviews nothing. */
const REVIEWING: Permission[] = [
  'user_is_ueberuser',
  'zone_change_approve_own',
  'zone_change_approve_others',
]

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
 * twice. `mail` throws `BackendUnavailable` where the mail server cannot be reached.
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
  for (const id of await candidates(request)) {
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

/** Users with a mail address and a right to review, by their own template or by that of a group. */
async function candidates({ requester }: ChangeRequest): Promise<number[]> {
  const rights = REVIEWING.map((name) => PERMISSIONS[name].id)
  const templates = db
    .from('zw_permission_template_items')
    .whereIn('permission_id', rights)
    .select('template_id')
  const rows: { id: number }[] = await db
    .from('zw_users as u')
    .where('u.active', true)
    .whereNotNull('u.email')
    .whereNot('u.email', '')
    .whereNot('u.id', requester.id ?? 0)
    .where((some) => {
      some.whereIn('u.permission_template_id', templates.clone())
      some.orWhereExists(
        db
          .from('zw_group_members as m')
          .join('zw_groups as g', 'g.id', 'm.group_id')
          .whereColumn('m.user_id', 'u.id')
          .whereIn('g.permission_template_id', templates.clone())
          .select(db.raw('1'))
      )
    })
    .orderBy('u.id')
    .limit(MOST_LOOKED_AT)
    .select('u.id')
  return rows.map(({ id }) => id)
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
  return user?.email && reviewMail !== false
    ? { username: user.username, email: user.email, language }
    : null
}

/** What it says of the request is what its list says; what the zones hold is behind the link. */
async function send(request: ChangeRequest, { what }: StoredNews, account: Account): Promise<void> {
  const i18n = i18nManager.locale(localeOf(account.language))
  const brand = interfaceSettings.title
  const [zone] = request.zones
  const said = what === 'filed' ? request.comment : (request.error ?? request.reviewComment)
  const values = {
    brand,
    id: String(request.id),
    name: account.username,
    zone: zone.name,
    more: request.zones.length - 1,
    count: request.actions.length,
    requester: request.requester.username,
    reviewer: request.reviewer?.username ?? '',
    said: said ?? '',
    link: new URL(`/requests/${request.id}`, env.get('APP_URL')).href,
  }
  try {
    await mail.send((message) => {
      message
        .from(smtp.from, brand)
        .to(account.email)
        .subject(i18n.t(`news.subject_${what}`, values))
        .text(`${i18n.t(`news.mail_${what}`, values)}\n\n${i18n.t('news.foot', values)}\n`)
    })
  } catch (error) {
    if (isRefused(error)) {
      logger.warn({ err: withoutValues(error), request: request.id }, 'A mail was not taken')
      return
    }
    logger.warn({ err: withoutValues(error) }, 'Mail about change requests cannot be sent')
    throw new BackendUnavailable('The mail server cannot be reached')
  }
}

/** The mail server says no for good: to try again changes nothing. */
function isRefused(error: unknown): boolean {
  const cause: unknown = error instanceof Error && error.cause ? error.cause : error
  const { responseCode, code } = cause as { responseCode?: unknown; code?: unknown }
  return code === 'EENVELOPE' || (typeof responseCode === 'number' && responseCode >= 500)
}

function localeOf(language: string | null): string {
  const chosen = language ?? interfaceSettings.language
  const isKnown = i18nManager.supportedLocales().includes(chosen)
  return isKnown ? chosen : i18nManager.defaultLocale
}
