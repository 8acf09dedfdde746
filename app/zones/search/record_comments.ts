import db from '@adonisjs/lucid/services/db'
import { whereLike } from '#database/trigram_index/like'
import { likePatterns, matchesText } from '#dns/search/patterns'
import { scoreOf } from '#dns/search/score'
import { isText, type Term } from '#dns/search/terms'
import type { SearchHit } from '#zones/search/hit'
import type { SearchScope } from '#zones/search/scope'

/** Maximum number of comments that are searched. They have no index because there are few. */
const MAX_SCANNED = 100_000

interface CommentRow {
  zone_id: number
  zone_name: string
  owner: string
  type: string
  above: string
  inline: string
}

/** Searches comments on records. */
export async function findComments(
  scope: SearchScope
): Promise<{ hits: SearchHit[]; isComplete: boolean }> {
  const { terms, limit } = scope
  const { table, columns } = scope.index
  const bounded = db.from('zw_record_comments').limit(MAX_SCANNED).as('n')
  const rows = db
    .from(bounded)
    .join('zw_zones', 'zw_zones.id', 'n.zone_id')
    .join(table, `${table}.${columns.id}`, 'zw_zones.id')
    .whereColumn('zw_zones.name', `${table}.${columns.name}`)
    .select('n.zone_id', 'zw_zones.name as zone_name', 'n.owner', 'n.type', 'n.above', 'n.inline')
  scope.onlyVisible(rows)
  if (scope.zoneIds) {
    rows.whereIn('n.zone_id', [...scope.zoneIds])
  }
  for (const term of terms.filter(isText)) {
    if (
      !term.negated &&
      (term.field === 'word' || term.field === 'comment') &&
      isPlain(term.texts)
    ) {
      whereLike(rows, ['n.above', 'n.inline'], likePatterns({ ...term, isPattern: false }))
    }
  }
  const commentRows = (await rows
    .orderBy('n.zone_id')
    .orderBy('n.owner')
    .limit(limit + 1)) as CommentRow[]
  const hits = commentRows.map(hitOf).filter((hit) => terms.every((term) => holdsFor(term, hit)))
  const scored = hits.map((hit) => ({ ...hit, score: scoreOf(terms, hit) }))
  const isComplete = commentRows.length <= limit && !(await areMore())
  return { hits: scored.slice(0, limit), isComplete }
}

/** Returns whether there are more comments than the limit. */
async function areMore(): Promise<boolean> {
  const next: unknown = await db
    .from('zw_record_comments')
    .select('zone_id')
    .offset(MAX_SCANNED)
    .first()
  return next !== null
}

/** Returns whether the texts are the same in JSON and contain no wildcard. */
function isPlain(texts: string[]): boolean {
  return texts.every((text) => !/["\\*?]/.test(text))
}

function hitOf({
  zone_id: zoneId,
  zone_name: zone,
  owner,
  type,
  above,
  inline,
}: CommentRow): SearchHit {
  const lines = [...(JSON.parse(above) as string[]), inline].filter(Boolean)
  return {
    kind: 'comment',
    zoneId: Number(zoneId),
    zoneName: zone,
    recordId: null,
    name: owner === '@' ? zone : `${owner}.${zone}`,
    type,
    text: lines.join('\n'),
    score: 0,
  }
}

function holdsFor(term: Term, hit: SearchHit): boolean {
  if (term.field === 'type') {
    return term.types.includes(hit.type ?? '') !== term.negated
  }
  const values = { word: hit.text, comment: hit.text, name: hit.name, zone: hit.zoneName }
  if (!isText(term) || term.field === 'content') {
    return term.negated
  }
  return matchesText(term, values[term.field] ?? '') !== term.negated
}
