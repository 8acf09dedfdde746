import db from '@adonisjs/lucid/services/db'
import { timestampOf } from '#database/rows/clock'
import { retryOnConflict } from '#database/conflicts'
import { isRowId } from '#database/rows/row_ids'
import { conflict, invalid, notFound } from '#exceptions/refusal'

const TABLE = 'zw_saved_views'
const MAX_NAME_CHARACTERS = 64
const MAX_QUERY_CHARACTERS = 2_000
/** Per user. */
export const MAX_VIEWS = 50

/** A zone list that a user saved under a name. */
export interface SavedView {
  id: number
  name: string
  /** Query string of its URL, without `?`. */
  query: string
}

/** Returns the views of a user, by name. */
export async function listViews(userId: number): Promise<SavedView[]> {
  const rows: SavedView[] = await db
    .from(TABLE)
    .where('user_id', userId)
    .orderBy('name')
    .select('id', 'name', 'query')
  return rows
}

/**
 * Saves a view; replaces one with the same name. Throws a 400 `Refusal` for an invalid name, and a
 * 409 above the limit.
 */
export async function saveView(userId: number, name: string, query: string): Promise<void> {
  const trimmed = name.trim()
  if (trimmed === '' || trimmed.length > MAX_NAME_CHARACTERS || /\p{C}/u.test(trimmed)) {
    throw invalid(`Field 'name' must have 1 to ${MAX_NAME_CHARACTERS} visible characters`)
  }
  if (query.length > MAX_QUERY_CHARACTERS) {
    throw invalid(`The address of a view must have at most ${MAX_QUERY_CHARACTERS} characters`)
  }
  const savedViews = await listViews(userId)
  if (savedViews.length >= MAX_VIEWS && !savedViews.some((view) => view.name === trimmed)) {
    throw conflict(`At most ${MAX_VIEWS} views can be saved; delete one first`)
  }
  const row = { user_id: userId, name: trimmed, query, created_at: timestampOf(Date.now()) }
  await retryOnConflict(() =>
    db.table(TABLE).knexQuery.insert(row).onConflict(['user_id', 'name']).merge(['query'])
  )
}

/** Deletes a view. Throws a 404 `Refusal` if the user has no view with this id. */
export async function deleteView(userId: number, id: number): Promise<void> {
  const deleted = await db
    .from(TABLE)
    .where({ id: isRowId(id) ? id : 0, user_id: userId })
    .delete()
  if (Number(deleted) === 0) {
    throw notFound('View not found')
  }
}
